// Requests that change something: JSON, with the token that only our own pages know.

const main = document.querySelector("main");

/** Sends something; what is answered. Throws an Error with a sentence, and perhaps its `field`. */
export async function send(path, what) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Dbce-Token": main.dataset.token },
      body: JSON.stringify(what),
    });
  } catch {
    throw new Error(`Not saved: dbce label does not answer. Start it again and reload this page; what was saved is there.`);
  }
  if (answer.ok) return answer.json();
  const text = await answer.text();
  let told = { message: text.trim() };
  try { told = JSON.parse(text); } catch { /* a plain sentence */ }
  const error = new Error(told.message);
  error.field = told.field;
  throw error;
}

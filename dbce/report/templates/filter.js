const box = document.getElementById("filter");
const found = document.getElementById("found");
const sites = [...document.querySelectorAll(".site")];
const urls = [...document.querySelectorAll(".url")].map(e => [e, e.textContent.toLowerCase()]);
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const [element, text] of urls) {
    element.hidden = !words.every(word => text.includes(word));
    count += !element.hidden;
  }
  for (const site of sites) site.hidden = !site.querySelector(".url:not([hidden])");
  found.textContent = box.value ? `${count} of ${urls.length} URLs` : "";
});
box.form.hidden = false;

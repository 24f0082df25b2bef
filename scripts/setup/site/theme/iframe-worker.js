// The site's search runs in a worker, which browsers do not start for pages that are opened as files. There it runs
// in a hidden frame. The theme asks whether there is an IFrameWorker, and takes its paths from the frame's script.
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    this.inside = frame.contentWindow;
    const page = this.inside.document;
    page.open();
    page.write("<!doctype html><title>search</title><body></body>");
    page.close();
    this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
    this.inside.importScripts = (...urls) =>
      urls.reduce((before, next) => before.then(() => run(page, next)), Promise.resolve());
    this.started = run(page, url);
  }

  postMessage(data) {
    const said = { data: structuredClone(data) };
    this.started.then(() => this.inside.dispatchEvent(new MessageEvent("message", said)));
  }
}

function run(page, url) {
  return new Promise((done, failed) => {
    const script = page.createElement("script");
    script.src = url;
    script.onload = done;
    script.onerror = failed;
    page.body.append(script);
  });
}

if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = IFrameWorker;
}

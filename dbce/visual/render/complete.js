// Has a value when all fonts and pictures are there.
// They are not decoded here: a browser that draws them smaller would do so from what it then has, or not, as it has
// drawn them before or after.
Promise.all([
  document.fonts.ready,
  ...Array.from(document.images, (one) => one.complete || new Promise((done) => {
    for (const end of ["load", "error"]) one.addEventListener(end, done);
  })),
]).then(() => null)

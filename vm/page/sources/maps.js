// Maps on canvas: one cell for a tile of PEs. A map knows how to draw values, and which PE is under a
// point of it; what happens then is the caller's business.

const kWidestCell = 28, kLeastHeight = 14;  // pixels

class MapView {
  // `choose(x, y)` when a PE is clicked, `point(x, y)` when it is under the pointer, null outside.
  constructor(title, run, {choose, point}) {
    this.run = run;
    this.figure = document.createElement("figure");
    this.caption = document.createElement("figcaption");
    this.caption.textContent = title;
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", `${title}: arrow keys move from PE to PE`);
    this.figure.append(this.caption, this.canvas);
    this.canvas.addEventListener("click", event => choose(...this.peAt(event)));
    this.canvas.addEventListener("pointermove", event => point(...this.peAt(event), this));
    this.canvas.addEventListener("pointerleave", () => point(null, null, this));
  }

  // Chooses the size of a cell so that `count` maps stand side by side, as far as they do not become too small.
  fit(count) {
    const run = this.run, gap = 16, border = 2;
    const room = Math.max(200, (document.getElementById("maps").clientWidth - (count - 1) * gap) / count - border - 1);
    this.cellWidth = Math.max(Math.min(kWidestCell, room / run.columns), 0.5);
    this.cellHeight = Math.max(this.cellWidth, Math.min(kLeastHeight, 140 / run.rows));
    this.canvas.width = Math.ceil(this.cellWidth * run.columns);
    this.canvas.height = Math.ceil(this.cellHeight * run.rows);
  }

  peAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const inside = (at, from, size, count) =>
      Math.min(count - 1, Math.max(0, Math.floor((at - from) / size * count)));
    const run = this.run;
    const column = inside(event.clientX, box.left + 1, box.width - 2, run.columns);
    const row = inside(event.clientY, box.top + 1, box.height - 2, run.rows);
    return [column * run.tile, row * run.tile];
  }

  draw(values, scale, chosen) {
    const {columns, rows, tile} = this.run;
    const cells = new OffscreenCanvas(columns, rows), context = cells.getContext("2d");
    const image = context.createImageData(columns, rows), none = parts(styleColour("--none"));
    for (let k = 0; k < columns * rows; ++k) {
      const has = !Number.isNaN(values[k]), at = has ? 3 * scale.place(values[k]) : 0;
      const colours = has ? scale.colours : none;
      for (let part = 0; part < 3; ++part) image.data[4 * k + part] = colours[at + part];
      image.data[4 * k + 3] = 255;
    }
    context.putImageData(image, 0, 0);
    const drawing = this.canvas.getContext("2d");
    drawing.imageSmoothingEnabled = false;
    drawing.drawImage(cells, 0, 0, this.canvas.width, this.canvas.height);
    if (chosen && chosen[0] < this.run.width && chosen[1] < this.run.height) {
      this.mark(drawing, Math.floor(chosen[0] / tile), Math.floor(chosen[1] / tile));
    }
  }

  // A frame around a tile that is seen on dark and on light cells.
  mark(drawing, column, row) {
    const width = Math.max(this.cellWidth, 4), height = Math.max(this.cellHeight, 4);
    const x = column * this.cellWidth, y = row * this.cellHeight;
    for (const [colour, line, out] of [["#000000", 4, 1], ["#ffffff", 2, 1]]) {
      drawing.strokeStyle = colour;
      drawing.lineWidth = line;
      drawing.strokeRect(x - out, y - out, width + 2 * out, height + 2 * out);
    }
  }
}

function drawLegend(canvas, scale) {
  const context = canvas.getContext("2d");
  for (let k = 0; k < 256; ++k) {
    context.fillStyle = `rgb(${scale.colours.slice(3 * k, 3 * k + 3).join(",")})`;
    context.fillRect(k, 0, 1, canvas.height);
  }
}

// Colours of maps: a sequence for values, two arms for differences. Both can be told apart without
// seeing red and green, and grow in lightness.

const kSequence = ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b",
                   "#fde725"];
const kArms = ["#2166ac", "#67a9cf", "#d1e5f0", "#f7f7f7", "#fddbc7", "#ef8a62", "#b2182b"];

function parts(colour) {
  return [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
}

// 256 colours between those given, as red, green, blue.
function table(stops) {
  const rgb = stops.map(parts), colours = new Uint8ClampedArray(256 * 3);
  for (let k = 0; k < 256; ++k) {
    const place = k / 255 * (rgb.length - 1), low = Math.min(Math.floor(place), rgb.length - 2);
    for (let part = 0; part < 3; ++part) {
      colours[3 * k + part] = rgb[low][part] + (place - low) * (rgb[low + 1][part] - rgb[low][part]);
    }
  }
  return colours;
}

const kSequenceTable = table(kSequence);
const kArmsTable = table(kArms);

function styleColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// How values become colours. `place(value)` is 0..255.
class Scale {
  constructor(least, most, kind) {
    this.least = least;
    this.most = most;
    this.isDifference = kind === "difference";
    this.isLog = kind === "log";
    this.colours = this.isDifference ? kArmsTable : kSequenceTable;
  }

  // Values from nothing to the largest of all arrays; differences have zero in the middle.
  static of(arrays, kind) {
    let least = Infinity, most = -Infinity;
    for (const values of arrays) {
      for (const value of values) {
        if (value < least) least = value;
        if (value > most) most = value;
      }
    }
    if (least > most) least = most = 0;
    if (kind !== "difference") return new Scale(Math.min(0, least), most, kind);
    const arm = Math.max(Math.abs(least), Math.abs(most));
    return new Scale(-arm, arm, kind);
  }

  place(value) {
    if (this.most === this.least) return 0;
    const share = this.isLog ? Math.log1p(value - this.least) / Math.log1p(this.most - this.least)
                             : (value - this.least) / (this.most - this.least);
    return Math.round(255 * Math.min(1, Math.max(0, share)));
  }
}

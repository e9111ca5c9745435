/** Writes DICOM files byte by byte, so that tests control their content. */

const LONG = new Set(["OB", "OW", "SQ", "UN", "UT"]);

/** An element in explicit little endian; sequences have items of defined length. */
export function element(group: number, number: number, vr: string, value: Buffer | string | Buffer[]): Buffer {
  const bytes = Array.isArray(value)
    ? Buffer.concat(value.map((item) => Buffer.concat([head(0xfffe, 0xe000, item.length), item])))
    : typeof value === "string"
      ? Buffer.from(value, "latin1")
      : value;
  const even =
    bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.from(vr === "UI" || vr === "OB" ? "\0" : " ")]);
  const start = Buffer.alloc(LONG.has(vr) ? 12 : 8);
  start.writeUInt16LE(group, 0);
  start.writeUInt16LE(number, 2);
  start.write(vr, 4, "latin1");
  if (LONG.has(vr)) start.writeUInt32LE(even.length, 8);
  else start.writeUInt16LE(even.length, 6);
  return Buffer.concat([start, even]);
}

function head(group: number, number: number, length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(group, 0);
  bytes.writeUInt16LE(number, 2);
  bytes.writeUInt32LE(length, 4);
  return bytes;
}

/** 16-bit numbers, little endian, two's complement. */
export function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => bytes.writeUInt16LE(value & 0xffff, at * 2));
  return bytes;
}

/** A file with these elements after its meta information. */
export function part10(transferSyntax: string, body: Buffer): Buffer {
  const meta = Buffer.concat([
    element(2, 1, "OB", Buffer.from([0, 1])),
    element(2, 2, "UI", SECONDARY_CAPTURE),
    element(2, 3, "UI", "2.25.1"),
    element(2, 0x10, "UI", transferSyntax),
    element(2, 0x12, "UI", "2.25.2"),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  return Buffer.concat([Buffer.alloc(128), Buffer.from("DICM"), element(2, 0, "UL", length), meta, body]);
}

const SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7";
export const EXPLICIT_LITTLE_ENDIAN = "1.2.840.10008.1.2.1";

export interface DicomPicture {
  rows: number;
  columns: number;
  pixels: Buffer;
  samples?: number;
  photometric?: string;
  isPlanar?: boolean;
  bitsAllocated?: number;
  bitsStored?: number;
  highBit?: number;
  isSigned?: boolean;
  /** Further elements of group 28, in order. */
  more?: Buffer[];
  transferSyntax?: string;
  /** The pixels are one compressed frame. */
  isEncapsulated?: boolean;
}

export function aDicomFile(picture: DicomPicture): Buffer {
  const { rows, columns, pixels, samples = 1, bitsAllocated = 16, bitsStored = bitsAllocated, more = [] } = picture;
  const even = pixels.length % 2 === 0 ? pixels : Buffer.concat([pixels, Buffer.alloc(1)]);
  const encapsulated = Buffer.concat([
    element(0x7fe0, 0x10, "OB", Buffer.alloc(0)).fill(0xff, 8),
    head(0xfffe, 0xe000, 0),
    head(0xfffe, 0xe000, even.length),
    even,
    head(0xfffe, 0xe0dd, 0),
  ]);
  const body = [
    element(8, 0x16, "UI", SECONDARY_CAPTURE),
    element(8, 0x18, "UI", "2.25.1"),
    element(0x28, 2, "US", words(samples)),
    element(0x28, 4, "CS", picture.photometric ?? (samples === 1 ? "MONOCHROME2" : "RGB")),
    ...(samples === 1 ? [] : [element(0x28, 6, "US", words(picture.isPlanar ? 1 : 0))]),
    element(0x28, 0x10, "US", words(rows)),
    element(0x28, 0x11, "US", words(columns)),
    element(0x28, 0x100, "US", words(bitsAllocated)),
    element(0x28, 0x101, "US", words(bitsStored)),
    element(0x28, 0x102, "US", words(picture.highBit ?? bitsStored - 1)),
    element(0x28, 0x103, "US", words(picture.isSigned ? 1 : 0)),
    ...more,
    picture.isEncapsulated ? encapsulated : element(0x7fe0, 0x10, bitsAllocated === 8 ? "OB" : "OW", pixels),
  ];
  return part10(picture.transferSyntax ?? EXPLICIT_LITTLE_ENDIAN, Buffer.concat(body));
}

export const windowOf = (centre: number, width: number, shape?: string) => [
  element(0x28, 0x1050, "DS", String(centre)),
  element(0x28, 0x1051, "DS", String(width)),
  ...(shape === undefined ? [] : [element(0x28, 0x1056, "CS", shape)]),
];

export function tableItem(firstValue: number, values: number[], bits: number): Buffer {
  return Buffer.concat([
    element(0x28, 0x3002, "US", words(values.length & 0xffff, firstValue, bits)),
    element(0x28, 0x3006, "OW", words(...values)),
  ]);
}

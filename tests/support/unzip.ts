/** Names and contents of an uncompressed ZIP by its local headers. */
export function unzip(zip: Buffer): [string, Buffer][] {
  const found: [string, Buffer][] = [];
  const directory = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = zip.readUInt32LE(directory + 16);
  for (let count = zip.readUInt16LE(directory + 10); count > 0; count -= 1) {
    const [size, nameLength, extra, comment, local] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
      zip.readUInt32LE(at + 42),
    ];
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString();
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    found.push([name, zip.subarray(start, start + size)]);
    at += 46 + nameLength + extra + comment;
  }
  return found;
}

import { crc32, deflateRawSync } from "node:zlib";

/** A file of a ZIP and the ZIP's claims about it, true or not. */
export interface ZipPart {
  /** Bytes are written unchanged, in any code page. */
  name: string | Buffer;
  bytes?: Buffer;
  /** 0 stored, 8 deflated; others are stored under that name. */
  method?: number;
  /** General purpose bits: 1 encrypted, 0x800 the name is UTF-8. */
  flags?: number;
  /** Unix mode, such as 0o120777 for a link. */
  mode?: number;
  claimedBytes?: number;
  claimedSum?: number;
}

/** A ZIP built byte by byte. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes = Buffer.alloc(0), method = 8, flags = 0, mode = 0o100644, ...claimed } of parts) {
    const nameBytes = Buffer.from(name);
    const data = method === 8 ? deflateRawSync(bytes) : bytes;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(claimed.claimedSum ?? crc32(bytes), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(claimed.claimedBytes ?? bytes.length, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), shared, nameBytes, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((mode << 16) >>> 0) >>> 0, 6);
    rest.writeUInt32LE(at, 10);
    // Made on Unix by version 2.0.
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), shared, rest, nameBytes]));
    locals.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, list, end]);
}

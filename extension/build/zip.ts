import { crc32, deflateRawSync } from 'node:zlib'

/** The files of an archive by path. */
export type Files = ReadonlyMap<string, string | Uint8Array>

/** Converts a time to the fields of MS-DOS, in UTC: archives know no time zone, and no time before 1980. */
const toDosTime = (epoch: number): { readonly time: number; readonly date: number } => {
  const at = new Date(Math.max(epoch, Date.UTC(1980, 0, 1) / 1000) * 1000)
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  }
}

const utf8Names = 0x0800
const deflated = 8
const version = 20

/**
 * Packs files as a zip archive (PKWARE APPNOTE 6.3). Its bytes depend only on the files and on `epoch`, the time of all
 * of them in Unix seconds. The files are in the order of their paths.
 */
export const packZip = (files: Files, epoch: number): Buffer => {
  const { time, date } = toDosTime(epoch)
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes, { level: 9 })
    const name = Buffer.from(path)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(version, 0)
    common.writeUInt16LE(utf8Names, 2)
    common.writeUInt16LE(deflated, 4)
    common.writeUInt16LE(time, 6)
    common.writeUInt16LE(date, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, packed])
    // No comment, disk 0, no attributes; then where the file begins.
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const made = Buffer.alloc(2)
    made.writeUInt16LE(version, 0)
    directory.push(Buffer.from('PK\x01\x02', 'latin1'), made, common, place, name)
    bodies.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.size, 4)
  end.writeUInt16LE(files.size, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, entries, Buffer.from('PK\x05\x06', 'latin1'), end])
}

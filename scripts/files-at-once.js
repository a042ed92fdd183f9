// What the quick commands take from `node:fs/promises`, by the calls that wait (scripts/quick-parts.js). Each fails as the
// one that it stands for: by a promise.
import fs from 'node:fs'

const atOnce =
  (call) =>
  async (...args) =>
    call(...args)

export const access = atOnce(fs.accessSync)
export const copyFile = atOnce(fs.copyFileSync)
export const link = atOnce(fs.linkSync)
export const lstat = atOnce(fs.lstatSync)
export const mkdir = atOnce(fs.mkdirSync)
export const readdir = atOnce(fs.readdirSync)
export const readFile = atOnce(fs.readFileSync)
export const readlink = atOnce(fs.readlinkSync)
// As the promise does it, by the system.
export const realpath = atOnce(fs.realpathSync.native)
export const rename = atOnce(fs.renameSync)
export const rm = atOnce(fs.rmSync)
export const stat = atOnce(fs.statSync)
export const statfs = atOnce(fs.statfsSync)
export const truncate = atOnce(fs.truncateSync)
export const unlink = atOnce(fs.unlinkSync)
export const writeFile = atOnce(fs.writeFileSync)

export const open = atOnce((path, flags, mode) => new Handle(fs.openSync(path, flags, mode)))

class Handle {
  constructor(fd) {
    this.fd = fd
  }

  async stat(options) {
    return fs.fstatSync(this.fd, options)
  }

  async read(buffer, offset, length, position) {
    return { bytesRead: fs.readSync(this.fd, buffer, offset, length, position), buffer }
  }

  async readFile(options) {
    return fs.readFileSync(this.fd, options)
  }

  async close() {
    fs.closeSync(this.fd)
  }
}

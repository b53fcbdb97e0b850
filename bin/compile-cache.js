const fs = require('node:fs')
const Module = require('node:module')
const { homedir } = require('node:os')
const { basename, dirname, join } = require('node:path')
const { Script } = require('node:vm')

/**
 * Keeps what V8 makes of the program's files for the next start, which then need not compile them. Node.js can do that
 * itself from 22.8 on; for earlier lines this does the same for the files beside `entry`. Where there is no folder for it
 * that is ours alone, the program starts without: what is kept there is run.
 */
exports.keepCompiled = (entry) => {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return
  try {
    const folder = join(cacheFolder(process.env), nameOf(entry))
    const isNew = [dirname(dirname(folder)), dirname(folder), folder].map(makeFolder).at(-1)
    if (!isOurs(folder)) return
    if (Module.enableCompileCache === undefined) compileWith(folder, dirname(entry))
    else Module.enableCompileCache(folder)
    if (isNew) process.once('exit', () => forgetOldest(dirname(folder)))
  } catch {
    // A read-only home, or none: it takes a little longer.
  }
}

function cacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA }) {
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'herm-tools')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'herm-tools', 'Cache')
  return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'herm-tools')
}

/** Another for each build: to install or build again makes the file anew, whatever its time of change is set to. */
function nameOf(entry) {
  const { ino, size, ctimeMs } = fs.statSync(entry)
  return [process.version, process.arch, ino, size, Math.round(ctimeMs)].join('-')
}

/** True when it was not there. Not with what is missing above: Node.js would try for ever where nothing can be made, as in /proc. */
function makeFolder(path) {
  try {
    fs.mkdirSync(path, 0o700)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isOurs(folder) {
  if (process.geteuid === undefined) return true
  const { uid, mode } = fs.lstatSync(folder)
  return uid === process.geteuid() && (mode & 0o022) === 0
}

/** V8 itself refuses what another version of it, or other flags, made. */
function compileWith(folder, sources) {
  const compile = Module.prototype._compile
  const fresh = []
  Module.prototype._compile = function (content, filename) {
    if (dirname(filename) !== sources) return compile.call(this, content, filename)
    const file = join(folder, `${basename(filename)}.bin`)
    const cachedData = readWhole(file)
    const script = new Script(Module.wrap(content), { filename, cachedData })
    if (cachedData === undefined || script.cachedDataRejected) fresh.push({ file, script })
    const require = (id) => this.require(id)
    return script.runInThisContext().call(this.exports, this.exports, require, this, filename, sources)
  }
  process.once('exit', () => {
    for (const { file, script } of fresh) writeWhole(file, script.createCachedData())
  })
}

/** What writeWhole wrote; undefined when there is none, or when it is not as it was written: V8 would run it all the same. */
function readWhole(file) {
  try {
    const bytes = fs.readFileSync(file)
    const data = bytes.subarray(CHECK_BYTES)
    return bytes.length > CHECK_BYTES && checkOf(data).equals(bytes.subarray(0, CHECK_BYTES)) ? data : undefined
  } catch {
    return undefined
  }
}

/** Never half a file under the name that is read. */
function writeWhole(file, data) {
  const temporary = `${file}.${process.pid}`
  try {
    fs.writeFileSync(temporary, Buffer.concat([checkOf(data), data]), { mode: 0o600 })
    fs.renameSync(temporary, file)
  } catch {
    // The folder is full or gone; the next run compiles again.
    removeIfThere(temporary)
  }
}

function removeIfThere(path) {
  try {
    fs.rmSync(path, { recursive: true, force: true })
  } catch {
    // Whoever took the folder away, or the right to it, has it now.
  }
}

/** Against damage, not against an enemy: the folder is ours alone. */
function checkOf(data) {
  const check = Buffer.alloc(CHECK_BYTES)
  check.writeUInt32LE(require('node:zlib').crc32(data))
  return check
}

/** Builds and lines of Node.js that are used no more leave theirs behind. Whatever is in the way is left alone. */
function forgetOldest(folder) {
  try {
    const paths = fs.readdirSync(folder).map((name) => join(folder, name))
    const kept = paths.map((path) => ({ path, at: fs.lstatSync(path).mtimeMs }))
    for (const { path } of kept.sort((a, b) => b.at - a.at).slice(MAX_KEPT)) {
      removeIfThere(path)
    }
  } catch {
    // Another process does the same, or the folder is gone.
  }
}

const CHECK_BYTES = 4
/** About 0.7 MB each. */
const MAX_KEPT = 8

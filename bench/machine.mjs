import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'
import { mebibytes } from './units.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The packages that a comparison runs. */
const compared = ['undici', 'eventsource-parser', '@biomejs/biome', 'knip', 'rolldown', 'typescript', 'vitest']

/** On what the numbers were made, as rows of name and value. */
export function describeMachine() {
  const processors = cpus()
  return [
    ['date', new Date().toISOString().slice(0, 10)],
    ['herm-tools', `${versionAt(`${root}package.json`)}, ${commit()}`],
    ['processor', `${processors.length} × ${processors[0]?.model ?? 'unknown'}`],
    ['memory', mebibytes(totalmem())],
    ['system', `${type()} ${release()}`],
    ['load before the start', loadavg()[0].toFixed(2)],
    ['Node.js', process.version],
    ['packages', compared.map((name) => `${name} ${versionOf(name)}`).join(', ')],
    ['curl', firstLine('curl', '--version').split(' ').slice(0, 2).join(' ')],
    ['jq', firstLine('jq', '--version')],
  ]
}

function commit() {
  const changed = firstLine('git', '-C', root, 'status', '--porcelain') === '' ? '' : ' with changes'
  return `${firstLine('git', '-C', root, 'rev-parse', '--short', 'HEAD')}${changed}`
}

function versionOf(name) {
  return versionAt(`${root}node_modules/${name}/package.json`)
}

function versionAt(path) {
  return JSON.parse(readFileSync(path, 'utf8')).version
}

function firstLine(command, ...args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')[0]
  } catch {
    return 'not installed'
  }
}

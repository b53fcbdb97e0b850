import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, it } from 'vitest'

/** `type`: only `import type`. `lazy`: that, and `import()` when it is needed. `any`: all of these and plain imports. */
type Manner = 'type' | 'lazy' | 'any'

const base = {
  'errors.ts': 'any',
  'clock.ts': 'any',
  'linked-signal.ts': 'any',
  'duration.ts': 'any',
  'user-file.ts': 'any',
  'once.ts': 'any',
} as const
const wire = { ...base, protocol: 'any' } as const
const services = { ...wire, client: 'any', store: 'any' } as const

/** What each folder and file at the top of `src` may import, besides what lies in itself. */
const layers: Record<string, Readonly<Record<string, Manner>>> = {
  'errors.ts': {},
  'linked-signal.ts': {},
  'once.ts': {},
  'whole-writes.ts': {},
  'duration.ts': {},
  'user-file.ts': {},
  'clock.ts': { 'errors.ts': 'any', 'linked-signal.ts': 'any' },
  protocol: base,
  client: wire,
  store: wire,
  emulator: wire,
  session: services,
  output: { ...services, session: 'type' },
  commands: { ...services, session: 'any', output: 'any', emulator: 'any', 'context.ts': 'type' },
  'context.ts': {
    ...base,
    'whole-writes.ts': 'any',
    protocol: 'lazy',
    client: 'lazy',
    store: 'lazy',
    session: 'lazy',
    output: 'lazy',
  },
  'main.ts': {
    ...services,
    session: 'any',
    output: 'any',
    commands: 'any',
    'context.ts': 'any',
    '../package.json': 'any',
  },
}

/** The files that are the program's edge to the outside world. */
const edges = new Set(['context.ts', 'main.ts'])

/** What belongs to the outside world: everything else is given it, so that a test can give it something else. */
const outsideGlobals = new Set(['process', 'console', 'performance', 'setTimeout', 'setInterval', 'setImmediate'])
const outsideModules = /^(node:)?(process|console|timers|timers\/promises|perf_hooks)$/
/** And `AbortSignal.any`, which on Node 20 leaves a trace in each signal that lives on: see linked-signal.ts. */
const outsideMembers = new Set(['Date.now', 'AbortSignal.timeout', 'AbortSignal.any'])

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => path.replaceAll('\\', '/'))

it('knows every folder and file at the top of src', () => {
  expect(readdirSync('src').filter((name) => layers[name] === undefined)).toEqual([])
})

it('finds the sources', () => {
  expect(files).toContain('protocol/envelope.ts')
})

it.each(files)('src/%s imports only what lies below it, and leaves the outside world to the edges', (path) => {
  expect(faults(path, readFileSync(join('src', path), 'utf8'))).toEqual([])
})

it.each<[path: string, source: string, fault: string]>([
  ['client/a.ts', "import { b } from '../store/b.ts'", 'client may not import store/b.ts'],
  ['client/a.ts', "import type { B } from '../store/b.ts'", 'client may not import store/b.ts'],
  ['store/a.ts', "export { b } from '../client/b.ts'", 'store may not import client/b.ts'],
  ['store/a.ts', "export * from '../client/b.ts'", 'store may not import client/b.ts'],
  ['protocol/a.ts', "const b = () => import('../session/b.ts')", 'protocol may not import session/b.ts'],
  ['protocol/a.ts', "type B = import('../client/b.ts').B", 'protocol may not import client/b.ts'],
  ['emulator/a.ts', "import { b } from '../client/b.ts'", 'emulator may not import client/b.ts'],
  ['session/a.ts', "import type { B } from '../output/b.ts'", 'session may not import output/b.ts'],
  ['session/a.ts', "import type { Context } from '../context.ts'", 'session may not import context.ts'],
  ['output/a.ts', "import { b } from '../session/b.ts'", 'output may import session/b.ts only as a type'],
  ['commands/auth/a.ts', "import { b } from '../../context.ts'", 'commands may import context.ts only as a type'],
  ['commands/a.ts', "const b = import('../context.ts')", 'commands may import context.ts only as a type'],
  ['commands/a.ts', "import { main } from '../main.ts'", 'commands may not import main.ts'],
  ['context.ts', "import { b } from './client/b.ts'", 'context.ts may import client/b.ts only when it is needed'],
  ['errors.ts', "import { b } from './clock.ts'", 'errors.ts may not import clock.ts'],
  ['session/a.ts', "import { b } from '../../test/b.ts'", 'session may not import ../test/b.ts'],
  ['session/a.ts', "import { b } from '../new/b.ts'", 'session may not import new/b.ts'],
  ['session/a.ts', 'const load = (name: string) => import(name)', 'an import without a literal name'],
  ['session/a.ts', "import process from 'node:process'", 'uses node:process'],
  ['session/a.ts', "import { setTimeout as wait } from 'node:timers/promises'", 'uses node:timers/promises'],
  ['session/a.ts', 'const key = process.env.KEY', 'uses process'],
  ['session/a.ts', 'const env = { ...process.env }', 'uses process'],
  ['session/a.ts', 'const all = { process }', 'uses process'],
  ['session/a.ts', 'console.error(1)', 'uses console'],
  ['session/a.ts', 'setTimeout(f, 1)', 'uses setTimeout'],
  ['session/a.ts', 'const later = globalThis.setInterval', 'uses setInterval'],
  ['session/a.ts', "const later = globalThis['setImmediate']", 'uses setImmediate'],
  ['session/a.ts', 'const start = performance.now()', 'uses performance'],
  ['session/a.ts', 'const start = Date.now()', 'uses Date.now'],
  ['session/a.ts', 'const clock = { now: Date.now }', 'uses Date.now'],
  ['session/a.ts', 'const now = new Date()', 'uses the current date'],
  ['session/a.ts', 'const now = Date()', 'uses the current date'],
  ['session/a.ts', 'const signal = AbortSignal.timeout(5)', 'uses AbortSignal.timeout'],
  ['session/a.ts', 'const signal = AbortSignal.any([a, b])', 'uses AbortSignal.any'],
])('sees the fault in src/%s: %s', (path, source, fault) => {
  expect(faults(path, source)).toEqual([fault])
})

it.each([
  ['session/a.ts', "import { b } from './b.ts'\nimport { c } from '../client/c.ts'\nimport * as z from 'zod/mini'"],
  ['output/a.ts', "import type { B } from '../session/b.ts'"],
  [
    'commands/auth/a.ts',
    "import type { Context } from '../../context.ts'\nconst b = () => import('../../session/b.ts')",
  ],
  ['context.ts', "import type { B } from './store/b.ts'\nconst b = () => import('./store/b.ts')\nprocess.exitCode = 1"],
  ['session/a.ts', 'const at = new Date(clock.now())\nconst parsed = Date.parse(text)'],
  ['session/a.ts', 'interface Table { process: string; isAlive(process: Id): boolean }\nchild.process.kill()'],
  ['session/a.ts', 'const text = { console: "process.env" }'],
])('finds no fault in src/%s: %s', (path, source) => {
  expect(faults(path, source)).toEqual([])
})

/** What a source text does that a file at `path` (relative to `src`) must not. */
function faults(path: string, source: string): string[] {
  const found: string[] = []
  const layer = path.split('/')[0] as string
  walk(parseAst(source, { lang: 'ts' }) as unknown as Node, (node, parent, key) => {
    found.push(...importFaults({ path, layer, node }))
    if (!edges.has(layer)) found.push(...outsideFaults(node, parent, key))
  })
  return found
}

function importFaults({ path, layer, node }: { path: string; layer: string; node: Node }): string[] {
  const manner = importManner(node)
  if (manner === undefined) return []
  const name = (node.source as Node).value
  if (typeof name !== 'string') return ['an import without a literal name']
  if (!name.startsWith('.')) return outsideModules.test(name) && !edges.has(layer) ? [`uses ${name}`] : []
  const target = posix.join(posix.dirname(path), name)
  const targetLayer = target.startsWith('../') ? target : (target.split('/')[0] as string)
  if (targetLayer === layer) return []
  const allowed = layers[layer]?.[targetLayer]
  if (allowed === undefined) return [`${layer} may not import ${target}`]
  if (strength[manner] <= strength[allowed]) return []
  return [`${layer} may import ${target} only ${allowed === 'type' ? 'as a type' : 'when it is needed'}`]
}

const strength: Record<Manner, number> = { type: 0, lazy: 1, any: 2 }

function importManner(node: Node): Manner | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return node.importKind === 'type' ? 'type' : 'any'
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      if (!isNode(node.source)) return undefined
      return node.exportKind === 'type' ? 'type' : 'any'
    case 'ImportExpression':
      return 'lazy'
    case 'TSImportType':
      return 'type'
    default:
      return undefined
  }
}

function outsideFaults(node: Node, parent: Node | undefined, key: string): string[] {
  if ((node.type === 'NewExpression' || node.type === 'CallExpression') && nameOf(node.callee) === 'Date') {
    return node.type === 'CallExpression' || isEmpty(node.arguments) ? ['uses the current date'] : []
  }
  if (node.type === 'MemberExpression') {
    const member = nameOf(node.property)
    const full = `${nameOf(node.object)}.${member}`
    if (outsideMembers.has(full)) return [`uses ${full}`]
    return nameOf(node.object) === 'globalThis' && outsideGlobals.has(member) ? [`uses ${member}`] : []
  }
  const isUse = node.type === 'Identifier' && outsideGlobals.has(nameOf(node)) && !isOnlyAName(parent, key)
  return isUse ? [`uses ${nameOf(node)}`] : []
}

/** A property's or a parameter's own name. (A shorthand property is visited as a key and as a value: the value counts.) */
function isOnlyAName(parent: Node | undefined, key: string): boolean {
  if (key === 'params') return true
  if (key === 'key' || key === 'property') return parent?.computed !== true
  return key === 'imported' || key === 'local' || key === 'exported'
}

/** Of an identifier, or of a property that is named by a string. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  return String(node.type === 'Identifier' ? node.name : node.type === 'Literal' ? node.value : '')
}

interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

function walk(
  node: Node,
  visit: (node: Node, parent: Node | undefined, key: string) => void,
  parent?: Node,
  key = '',
): void {
  visit(node, parent, key)
  for (const [field, value] of Object.entries(node)) {
    for (const child of [value].flat()) if (isNode(child)) walk(child, visit, node, field)
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}

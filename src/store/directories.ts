import { join, posix, win32 } from 'node:path'

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The user's home folder. Anything that is not an absolute path stands for "no home": the root is used, as in a container. */
  readonly homedir: string
}

/** Where the config file lives. macOS follows the XDG folders too, as command-line tools there do. */
export function configDir(surroundings: Surroundings): string {
  return place(surroundings, {
    own: 'HERM_TOOLS_CONFIG_DIR',
    xdg: 'XDG_CONFIG_HOME',
    underHome: '.config',
    windows: 'APPDATA',
    underWindowsHome: 'AppData\\Roaming',
  })
}

/** Where the journal, its locks and the places of `watch --resume` live. */
export function stateDir(surroundings: Surroundings): string {
  return place(surroundings, {
    own: 'HERM_TOOLS_STATE_DIR',
    xdg: 'XDG_STATE_HOME',
    underHome: '.local/state',
    windows: 'LOCALAPPDATA',
    underWindowsHome: 'AppData\\Local',
  })
}

/** Where bin keeps the program as Node.js compiled it; the rule stands there, in `compile-cache.js`, a second time. */
export function cacheDir({ env, platform, homedir }: Surroundings): string {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, 'herm-tools')
  if (platform === 'win32' && env.LOCALAPPDATA) return win32.join(env.LOCALAPPDATA, 'herm-tools', 'Cache')
  return join(homedir, platform === 'darwin' ? 'Library/Caches' : '.cache', 'herm-tools')
}

interface Names {
  readonly own: string
  readonly xdg: string
  readonly underHome: string
  readonly windows: string
  readonly underWindowsHome: string
}

function place({ env, platform, homedir }: Surroundings, names: Names): string {
  const own = env[names.own]
  if (own) return own
  if (platform === 'win32') {
    const home = win32.isAbsolute(homedir) ? homedir : '\\'
    return win32.join(env[names.windows] || win32.join(home, names.underWindowsHome), 'herm-tools')
  }
  const home = posix.isAbsolute(homedir) ? homedir : '/'
  const xdg = env[names.xdg] ?? ''
  // XDG Base Directory Specification: a path that is not absolute is to be ignored.
  return posix.join(posix.isAbsolute(xdg) ? xdg : posix.join(home, names.underHome), 'herm-tools')
}

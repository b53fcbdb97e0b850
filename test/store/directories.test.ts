import { expect, test } from 'vitest'
import { configDir, type Surroundings, stateDir } from '../../src/store/directories.ts'

const linux: Surroundings = { env: {}, platform: 'linux', homedir: '/home/me' }
const windows: Surroundings = { env: {}, platform: 'win32', homedir: 'C:\\Users\\me' }

test.each<[string, Surroundings, string, string]>([
  ['home', linux, '/home/me/.config/herm-tools', '/home/me/.local/state/herm-tools'],
  ['macOS', { ...linux, platform: 'darwin' }, '/home/me/.config/herm-tools', '/home/me/.local/state/herm-tools'],
  ['XDG', { ...linux, env: { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s' } }, '/c/herm-tools', '/s/herm-tools'],
  [
    'XDG, not absolute or empty',
    { ...linux, env: { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '' } },
    '/home/me/.config/herm-tools',
    '/home/me/.local/state/herm-tools',
  ],
  [
    'own variables',
    { ...linux, env: { HERM_TOOLS_CONFIG_DIR: 'c', HERM_TOOLS_STATE_DIR: '/s', XDG_STATE_HOME: '/x' } },
    'c',
    '/s',
  ],
  [
    'own variables, empty',
    { ...linux, env: { HERM_TOOLS_CONFIG_DIR: '', HERM_TOOLS_STATE_DIR: '' } },
    '/home/me/.config/herm-tools',
    '/home/me/.local/state/herm-tools',
  ],
  ['no home', { ...linux, homedir: '' }, '/.config/herm-tools', '/.local/state/herm-tools'],
  [
    'Windows',
    { ...windows, env: { APPDATA: 'D:\\R', LOCALAPPDATA: 'D:\\L', XDG_CONFIG_HOME: '/c' } },
    'D:\\R\\herm-tools',
    'D:\\L\\herm-tools',
  ],
  [
    'Windows without variables',
    windows,
    'C:\\Users\\me\\AppData\\Roaming\\herm-tools',
    'C:\\Users\\me\\AppData\\Local\\herm-tools',
  ],
])('%s', (_, surroundings, config, state) => {
  expect(configDir(surroundings)).toBe(config)
  expect(stateDir(surroundings)).toBe(state)
})

import type { Printable } from './reporter.ts'
import { tableRows } from './table.ts'
import { topicText } from './topic-text.ts'

/** `help environment`; `width` in columns, for a person. */
export function environmentTable(width: number): Printable[] {
  const rows = Object.entries(variables).map(([name, meaning]) => ({ name, meaning }))
  const list = tableRows(rows, {
    record: (row) => ({ type: 'herm_tools.variable', ...row }),
    columns: [
      { title: 'VARIABLE', cell: ({ name }) => name },
      { title: 'MEANING', cell: ({ meaning }) => meaning },
    ],
    width,
  })
  return topicText(PRECEDENCE, { topic: 'environment', width, list })
}

const PRECEDENCE = `A flag wins over the environment, the environment over the profile, the profile over the default. A variable that is empty counts as not set. \`herm-tools config list\` shows what is in force, and where it comes from.`

const variables: Readonly<Record<string, string>> = {
  PRISM_API_KEY: 'the API key; wins over the one that `auth login` stored',
  HERM_BASE_URL: 'the address of the service (default: https://api.herm.run)',
  HERM_SESSION: 'the session to use where none is named',
  HERM_CA_FILE: 'a file with certificates to trust besides the usual ones, as --ca-file',
  HERM_TOOLS_PROFILE: 'the profile of the config to use, as --profile',
  HERM_TOOLS_CONFIG_DIR:
    'the folder of config.json (default: herm-tools under $XDG_CONFIG_HOME, ~/.config or %APPDATA%)',
  HERM_TOOLS_STATE_DIR:
    'the folder of the journal (default: herm-tools under $XDG_STATE_HOME, ~/.local/state or %LOCALAPPDATA%)',
  HTTPS_PROXY: 'the proxy for https; HTTP_PROXY is the one for http',
  NO_PROXY: 'hosts that are reached without the proxy',
  NODE_EXTRA_CA_CERTS: 'the same as HERM_CA_FILE, for every program that runs on Node.js',
  NO_COLOR: 'no colour, as --no-color',
  FORCE_COLOR: 'colour also where there is no terminal',
  CI: 'no animation',
  GITHUB_OUTPUT: 'the file to which --github adds the outputs of a step; GitHub Actions sets it',
  GITHUB_STEP_SUMMARY: 'the file to which --github adds the summary of a step; GitHub Actions sets it',
}

/**
 * Whether an address is on this machine, where plain http shows the key to nobody else. `x.localhost` is left out: a
 * resolver may send it anywhere.
 */
export function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
}

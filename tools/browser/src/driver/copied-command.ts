import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** `curl` as a function of the shell that prints its arguments, so that the shell reads the command as a terminal would. */
const PRINT_ARGUMENTS = String.raw`curl() { printf '%s\0' "$@"; }`;

/** Runs a curl command that was copied from a page, in a shell, with `fetch` in place of curl, which may not be installed. */
export async function runCurl(command: string): Promise<Response> {
  const { stdout } = await runFile('sh', ['-c', `${PRINT_ARGUMENTS}\n${command}`], { env: {} });
  const given = stdout.split('\0').slice(0, -1);
  const after = (option: string): string[] => given.flatMap((argument, index) => (argument === option ? [given[index + 1] ?? ''] : []));
  const url = given.find((argument) => argument.startsWith('http'));
  if (url === undefined) throw new Error(`no address in ${given.join(' ')}`);
  const headers = after('-H').map((header): [string, string] => [header.slice(0, header.indexOf(':')), header.slice(header.indexOf(':') + 1).trim()]);
  return fetch(url, { method: 'POST', headers, body: after('-d').join('') });
}

import { expect, it } from '@jest/globals';
import { createLog } from './create-log.js';

const SECRETS = { cookie: 'hunter 1', 'set-cookie': ['hunter 2'], authorization: 'Bearer hunter 3', 'x-api-key': 'hunter 4' };

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  write(createLog('info', { write: (line) => { text += line; } }));
  return text;
}

it.each<[string, object]>([
  ['of a line', { headers: { ...SECRETS, accept: 'shown' } }],
  ['of a request', { req: { headers: { ...SECRETS, accept: 'shown' } } }],
  ['of a response', { res: { headers: { ...SECRETS, accept: 'shown' } } }],
  ['of an error', { err: Object.assign(new Error('failed'), { headers: { ...SECRETS, accept: 'shown' } }) }],
])('the log redacts cookies and credentials in the headers %s', (_, line) => {
  const text = logged((log) => log.error(line, 'a failure'));
  expect(text).toContain('shown');
  expect(text.match(/\[redacted\]/g)).toHaveLength(4);
  expect(text).not.toContain('hunter');
});

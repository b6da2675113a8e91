import { expect, test } from '@jest/globals';
import { mayComeFromDeath, NoGateway, UnexpectedReply } from './reader-failures.js';

function refusal(status: number, code: string): UnexpectedReply {
  return new UnexpectedReply(status, JSON.stringify({ error: { message: 'a gateway answered 4', code } }));
}

test.each([
  ['no gateway runs', new NoGateway('no gateway serves'), true],
  ['a connection breaks', new TypeError('fetch failed'), true],
  ['a gateway is silent', new DOMException('timed out', 'TimeoutError'), true],
  ['the database is away', refusal(503, 'service_unavailable'), true],
  ['the gateway is busy', refusal(503, 'server_busy'), true],
  ['the gateway is in maintenance', refusal(503, 'maintenance_mode'), false],
  ['the gateway fails', refusal(500, 'internal_error'), false],
  ['the status does not fit the code', refusal(401, 'service_unavailable'), false],
  ['the credential is refused', refusal(401, 'invalid_api_key'), false],
  ['the cursor is lost', refusal(410, 'cursor_lost'), false],
  ['a 503 is not of the gateway', new UnexpectedReply(503, 'service_unavailable'), false],
  ['a page is no JSON', new SyntaxError('Unexpected end of JSON input'), false],
  ['something else is thrown', 'text', false],
] as const)('when %s, %p may come from the death of a gateway: %p', (_case, thrown, expected) => {
  expect(mayComeFromDeath(thrown)).toBe(expected);
});

import { GatewayError } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import type { BrowserRequest, Person } from '@tollgate/identity';
import type { HttpExchange } from '../../http/http-exchange.js';
import { type DashboardEndpoint, endpoint, type Enter } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { encodeSignIn, SIGN_IN_REASONS } from './encode-sign-in.js';

export function entryEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { signUp, verification, passwordReset } = ports.identity;
  return [
    endpoint(contract.signUp)(async ({ browser: { address }, body, inBackground }) => {
      await signUp.register({ ...body, address }, inBackground);
      return ACCEPTED;
    }),
    endpoint(contract.resendVerification)(async ({ body: { email }, inBackground }) => {
      await verification.resend(email, inBackground);
      return ACCEPTED;
    }),
    endpoint(contract.verifyEmail)(async ({ exchange, browser, body, enter }) => {
      const person = await verification.verify({ ...body, ...browser });
      return arrive(ports, { exchange, browser, person, password: body.password, enter });
    }),
    endpoint(contract.disown)(({ browser: { address }, body: { token } }) => verification.disown(token, address)),
    endpoint(contract.requestReset)(async ({ body: { email }, call, inBackground }) => {
      await passwordReset.request(email, inBackground, call.knownAs !== null);
      return ACCEPTED;
    }),
    endpoint(contract.resetPassword)(async ({ exchange, browser, body, enter, afterAct }) => {
      const person = await passwordReset.reset({ ...body, ...browser }, afterAct);
      return arrive(ports, { exchange, browser, person, password: body.password, enter });
    }),
    endpoint(contract.acceptInvitation)(async ({ exchange, browser, body, enter }) => {
      const person = await passwordReset.acceptInvitation({ ...body, ...browser });
      return arrive(ports, { exchange, browser, person, password: body.password, enter });
    }),
  ];
}

type Entry = ReplyOf<typeof contract.verifyEmail>;

const ACCEPTED = { object: 'accepted' } as const;

/** A person whose address was just proved, and the password to sign in with. */
interface Arrival {
  readonly exchange: Pick<HttpExchange, 'requestId'>;
  readonly browser: BrowserRequest;
  readonly person: Person;
  readonly password: string;
  readonly enter: Enter;
}

/**
 * Signs in with the password, so that standing and second factors apply. If no session can begin, the address stays proved, and `sign_in` is `null`.
 */
async function arrive({ sessions, clock, log }: Pick<DashboardPorts, 'sessions' | 'clock' | 'log'>, { exchange: { requestId }, browser, person: { email }, password, enter }: Arrival): Promise<Entry> {
  const outcome = await sessions.signIn(browser, { kind: 'password', email, password }, clock.now()).catch(withoutSession);
  if (outcome.outcome === 'signed-in') return { object: 'entry', email, sign_in: await encodeSignIn(outcome, enter) };
  log.warn({ requestId, reason: outcome.outcome === 'no-turn' ? NO_TURN : SIGN_IN_REASONS[outcome.outcome] }, 'a sign-in was refused');
  return { object: 'entry', email, sign_in: null };
}

const NO_TURN = 'too many passwords are waiting to be hashed';

function withoutSession(thrown: unknown): { readonly outcome: 'no-turn' } {
  if (thrown instanceof GatewayError && thrown.code === 'too_many_attempts') return { outcome: 'no-turn' };
  throw thrown;
}

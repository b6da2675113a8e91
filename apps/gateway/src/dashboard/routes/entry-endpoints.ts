import { contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { type BrowserRequest, type Clock, GatewayError, type Person, type Sessions, type SignInOutcome } from '@tollgate/core';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/endpoint.js';
import { encodeSignIn } from './session-endpoints.js';

type Entry = ReplyOf<typeof contract.verifyEmail>;

const ACCEPTED = { object: 'accepted' } as const;

/** A browser whose person has just proved an address and a password. */
interface Arrival {
  readonly browser: BrowserRequest;
  readonly person: Person;
  readonly password: string;
  readonly setCookie: (header: string) => void;
}

/** Signs in like any other password does, so standing and second factors hold. What has been proved stays proved where no session can begin. */
async function enter({ sessions, clock }: { readonly sessions: Sessions; readonly clock: Clock }, { browser, person: { email }, password, setCookie }: Arrival): Promise<Entry> {
  const outcome = await sessions.signIn(browser, { kind: 'password', email, password }, clock.now()).catch(withoutSession);
  return { object: 'entry', email, sign_in: outcome.outcome === 'signed-in' ? encodeSignIn(outcome, setCookie) : null };
}

/** Too many passwords wait for being hashed. */
function withoutSession(thrown: unknown): SignInOutcome {
  if (thrown instanceof GatewayError && thrown.code === 'server_busy') return { outcome: 'refused' };
  throw thrown;
}

/** How people come in: sign-up, links in mail, and passwords that are reset. */
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
    endpoint(contract.verifyEmail)(async ({ browser, body, setCookie }) => {
      const person = await verification.verify({ ...body, address: browser.address });
      return enter(ports, { browser, person, password: body.password, setCookie });
    }),
    endpoint(contract.disown)(({ browser: { address }, body: { token } }) => verification.disown(token, address)),
    endpoint(contract.requestReset)(async ({ body: { email }, inBackground }) => {
      await passwordReset.request(email, inBackground);
      return ACCEPTED;
    }),
    endpoint(contract.resetPassword)(async ({ browser, body, setCookie, afterAct }) => {
      const person = await passwordReset.reset({ ...body, address: browser.address }, afterAct);
      return enter(ports, { browser, person, password: body.password, setCookie });
    }),
    endpoint(contract.acceptInvitation)(async ({ browser, body, setCookie }) => {
      const person = await passwordReset.acceptInvitation({ ...body, address: browser.address });
      return enter(ports, { browser, person, password: body.password, setCookie });
    }),
  ];
}

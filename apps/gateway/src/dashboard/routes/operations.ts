import { type BodyOf, contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { type ModelTrial, tryModel } from '@tollgate/adapters-upstream';
import {
  type Catalogue, GatewayError, type Instant, MILLISECONDS_PER_SECOND, type Model, rfc3339, type UpstreamDefinition, type UpstreamTarget,
} from '@tollgate/core';
import { type ListedMail, type MailId, MailRefused, testMessage } from '@tollgate/identity';
import { timeOrNull } from '@tollgate/wire-kit';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import { decodeCursor, encodeCursor } from '../call/cursors.js';
import { invalidField } from '../call/read-fields.js';
import { unknownAddress } from '../call/admit-visitor.js';
import type { Reconciliation } from '../../background/reconciler.js';
import { LiveReader } from '../../live/live-feed.js';

export function upstreamEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { operations: { upstreams, ids }, catalogue, clock } = ports;
  const underTest = new Set<string>();
  return [
    endpoint(contract.listUpstreams)(async () => (
      { object: 'list', data: upstreams.definitions().map((definition) => encodeUpstream(definition, ports)), has_more: false })),
    endpoint(contract.testUpstream)(async ({ params: { id }, body }) => {
      const definition = upstreams.definitions().find((each) => each.id === id);
      if (definition === undefined) throw unknownAddress();
      const served = chosenModel(id, body, catalogue.current());
      if (underTest.has(id)) throw new GatewayError('conflict', 'A test of this upstream is already running.');
      underTest.add(id);
      try {
        return encodeTest(served, await tryModel(withShortTimeouts(definition), served, { clock, ids }));
      } finally {
        underTest.delete(id);
      }
    }),
  ];
}

export function booksEndpoints({ operations: { reconciler, outbox } }: DashboardPorts): readonly DashboardEndpoint[] {
  const state = (): Checks => {
    const { last, runningSince, failures, intervalMilliseconds } = reconciler;
    return {
      object: 'ledger_checks', running_since: timeOrNull(runningSince), last: last === null ? null : encodeCheck(last), failures,
      interval_seconds: intervalMilliseconds === null ? null : intervalMilliseconds / MILLISECONDS_PER_SECOND, settlements_waiting: outbox?.waiting ?? 0,
    };
  };
  return [
    endpoint(contract.ledgerChecks)(async () => state()),
    endpoint(contract.checkLedger)(async () => {
      void reconciler.check();
      return state();
    }),
  ];
}

export function mailEndpoints({ operations: { mailOutbox, mailer, ids } }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.listMail)(async ({ query: { limit, cursor } }) => {
      const mails = await mailOutbox.list({ limit: limit + 1, after: cursor === undefined ? null : mailAt(cursor) });
      const page = mails.slice(0, limit);
      const last = mails.length > limit ? page.at(-1) : undefined;
      return { object: 'list', data: page.map(encodeMail), has_more: last !== undefined, next_cursor: last === undefined ? null : encodeCursor([last.storedAt, last.id]) };
    }),
    endpoint(contract.sendTestMail)(async ({ body, visitor }) => {
      const to = body.to ?? visitor.person.email;
      await mailer.send({ ...testMessage(), to, rank: 'operator', reference: `test ${ids.mailId()}` }).catch((thrown: unknown) => {
        throw thrown instanceof MailRefused ? invalidField('to', thrown.message) : thrown;
      });
      return { object: 'mail_test', to };
    }),
  ];
}

/** Ends with the session, or when the gateway stops. */
export function liveEndpoint({ operations: { live }, sessions, clock }: DashboardPorts): DashboardEndpoint {
  return endpoint(contract.live)(async ({ exchange, browser, visitor: { person } }) => {
    live.makeRoomFor(person.id);
    const reader = new LiveReader(person.id, exchange, async () => {
      const signedIn = await sessions.peek(browser, clock.now());
      return signedIn !== null && signedIn.reach === 'full' && signedIn.person.role === 'operator';
    });
    live.add(reader, lastSeen(exchange.req.headers['last-event-id']));
    await reader.ended;
  });
}

type EncodedUpstream = ReplyOf<typeof contract.listUpstreams>['data'][number];
type EncodedTest = ReplyOf<typeof contract.testUpstream>;

/** Until the first byte, and between later ones. */
const TEST_MILLISECONDS = 10 * MILLISECONDS_PER_SECOND;

interface Served {
  readonly model: Model;
  readonly target: UpstreamTarget;
}

function servedBy(upstreamId: string, { models }: Catalogue): readonly Served[] {
  return models.flatMap((model) => model.targets.filter((target) => target.upstreamId === upstreamId).map((target) => ({ model, target })));
}

/** Without the query, which may contain a secret. */
function addressOf(definition: UpstreamDefinition): string | null {
  if (definition.kind === 'sandbox') return null;
  const { origin, pathname } = new URL(definition.baseUrl);
  return `${origin}${pathname}`;
}

function encodeUpstream(definition: UpstreamDefinition, { operations: { upstreams }, catalogue }: DashboardPorts): EncodedUpstream {
  const { id, kind } = definition;
  const open = new Set(upstreams.circuits().filter(({ upstreamId, state }) => upstreamId === id && state === 'open').map(({ upstreamModel }) => upstreamModel));
  const models = servedBy(id, catalogue.current()).map(({ model, target: { upstreamModel } }) => {
    const { answers, failures, lastAnswerAt, lastFailure, firstToken } = upstreams.health.of(id, upstreamModel);
    return {
      model: model.slug, upstream_model: upstreamModel, circuit: open.has(upstreamModel) ? 'open' : 'closed', answers, failures, last_success_at: timeOrNull(lastAnswerAt),
      last_failure: lastFailure === null ? null : { reason: lastFailure.reason, at: rfc3339(lastFailure.at) }, first_token_ms: firstToken,
    } as const;
  });
  return { id, object: 'upstream', kind, base_url: addressOf(definition), models };
}

/** For an interactive test. */
function withShortTimeouts(definition: UpstreamDefinition): UpstreamDefinition {
  if (definition.kind === 'sandbox') return definition;
  const timeouts = {
    connectMilliseconds: TEST_MILLISECONDS, firstByteMilliseconds: TEST_MILLISECONDS, firstOutputMilliseconds: TEST_MILLISECONDS,
    silenceMilliseconds: TEST_MILLISECONDS, wholeMilliseconds: TEST_MILLISECONDS,
  };
  return { ...definition, options: { ...definition.options, timeouts } } as UpstreamDefinition;
}

function encodeTest({ model, target }: Served, trial: ModelTrial): EncodedTest {
  const served = { object: 'upstream_test', upstream: target.upstreamId, model: model.slug, upstream_model: target.upstreamModel } as const;
  if (trial.outcome === 'answered') return { ...served, outcome: 'answered', milliseconds: trial.milliseconds, reason: null, message: null };
  return { ...served, outcome: 'failed', milliseconds: null, reason: trial.failure.reason, message: trial.failure.message };
}

function chosenModel(upstreamId: string, { model: name }: BodyOf<typeof contract.testUpstream>, catalogue: Catalogue): Served {
  const served = servedBy(upstreamId, catalogue).find(({ model, target }) =>
    name === null || model.slug === name || model.aliases.includes(name) || target.upstreamModel === name);
  if (served === undefined) throw invalidField('model', name === null ? 'the catalogue has no model at this upstream' : 'the catalogue has no such model at this upstream');
  return served;
}

type Checks = ReplyOf<typeof contract.ledgerChecks>;

function encodeCheck({ startedAt, at, accounts, entries, usageRecords, differences, named }: Reconciliation): NonNullable<Checks['last']> {
  return {
    started_at: rfc3339(startedAt), ended_at: rfc3339(at), accounts, entries, usage_records: usageRecords, differences,
    named_differences: named.map(({ invariant, accountId, expected, found }) => ({ invariant, account_id: accountId, expected, found })),
  };
}

type EncodedMail = ReplyOf<typeof contract.listMail>['data'][number];

function encodeMail({ id, to, subject, state, attempts, lastFailure, storedAt, dueAt, endedAt }: ListedMail): EncodedMail {
  return {
    id, object: 'mail', to, subject, state, attempts, last_error: lastFailure, stored_at: rfc3339(storedAt), next_attempt_at: timeOrNull(dueAt), ended_at: timeOrNull(endedAt),
  };
}

const UNTOLD = { to: null, subject: null, state: 'waiting', attempts: 0, lastFailure: null, dueAt: null, endedAt: null } as const;

/** From a cursor, with the fields of the order. */
function mailAt(cursor: string): ListedMail {
  const [at, id] = decodeCursor(cursor, ['number', 'string']);
  return { id: id as MailId, storedAt: at as Instant, ...UNTOLD };
}

const SECOND = /^\d{1,12}$/;

/** From `Last-Event-ID`; `null` for a new connection. */
function lastSeen(header: string | readonly string[] | undefined): number | null {
  return typeof header === 'string' && SECOND.test(header) ? Number(header) : null;
}

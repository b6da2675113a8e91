import { type AccountEvent, type AccountId, EVENT_TYPES, type EventPage, type EventQuery, type EventType, MILLISECONDS_PER_SECOND, PAGE_SIZES, rfc3339 } from '@tollgate/core';
import { encodeEvent } from '@tollgate/wire-kit';
import type { Command } from 'commander';
import type { CommandRuntime } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { withFormerNames } from '../program/former-names.js';
import { findAccount } from '../program/find-account.js';
import { eventTypesValue, pageSizeOption } from '../program/option-values.js';
import { CommandFailure, misuse } from '../program/command-failure.js';
import { type Report, tableOr, time } from '../program/report.js';

interface EventOptions {
  readonly cursor?: string;
  readonly types?: readonly EventType[];
  readonly account?: string;
  readonly limit: number;
  readonly follow?: true;
}

/** Interval between two reads of `--follow`. */
const FOLLOW_MILLISECONDS = MILLISECONDS_PER_SECOND;

export function addEventCommands(program: Command, runtime: CommandRuntime): void {
  const events = program.command('events').description('the feed of events, oldest first')
    .option('--cursor <text>', 'continue where an earlier list ended')
    .option('--types <types>', `only these types, separated by commas: ${EVENT_TYPES.join(', ')}`, eventTypesValue)
    .option('--account <account>', 'only events of this account: its id (acct_…) or e-mail address')
    .option('--follow', 'go on with later events until the program is interrupted; with --json one object a line')
    .option(...pageSizeOption(PAGE_SIZES.events.commandLine))
    .action((options: EventOptions, command: Command) => runtime.perform(command, (session) => {
      if (options.follow !== true) return listEvents(session, options);
      const isJson = command.optsWithGlobals<{ readonly json?: true }>().json === true;
      return followEvents(session, options, { write: (event) => runtime.write(`${isJson ? JSON.stringify(encodeEvent(event)) : lineOf(event)}\n`), wait: pause });
    }));
  withFormerNames(events, runtime, { after: 'cursor', type: 'types' });
}

async function queryOf(session: OperatorSession, { cursor, types, account, limit }: EventOptions): Promise<EventQuery> {
  const accountId: AccountId | null = account === undefined ? null : (await findAccount(session, account)).id;
  return { after: cursor ?? null, types: types ?? null, accountId, limit };
}

async function readEvents({ store: { events } }: OperatorSession, query: EventQuery): Promise<EventPage> {
  const reading = await events.read(query);
  switch (reading.outcome) {
    case 'page': return reading;
    case 'malformed': throw misuse('option \'--cursor <text>\' is not a cursor of the feed');
    case 'lost': throw new CommandFailure('the feed does not continue from this cursor: its event has expired, or the database was restored; read from the start and compare the balances');
  }
}

async function listEvents(session: OperatorSession, options: EventOptions): Promise<Report> {
  const { events, nextCursor, hasMore } = await readEvents(session, await queryOf(session, options));
  return {
    json: { events: events.map(encodeEvent), has_more: hasMore, next_cursor: nextCursor },
    lines: [
      ...tableOr('There is no such event.', ['AT', 'TYPE', 'ACCOUNT', 'NUMBER', 'DATA'], events.map((event) => [time(event.at), ...cellsOf(event)])),
      ...(hasMore && nextCursor !== null ? [`There are more: --cursor ${nextCursor}`] : []),
    ],
  };
}

interface Following {
  write(event: AccountEvent): Promise<void>;
  /** Resolves when the next read is due; false ends the command. */
  wait(): Promise<boolean>;
}

/** Writes every event once, in the order of the feed. */
export async function followEvents(session: OperatorSession, options: EventOptions, following: Following): Promise<null> {
  const query = await queryOf(session, options);
  let after = query.after;
  for (;;) {
    const { events, nextCursor, hasMore } = await readEvents(session, { ...query, after });
    for (const event of events) await following.write(event);
    after = nextCursor;
    if (!hasMore && !await following.wait()) return null;
  }
}

/** Waits for one interval. Resolves with false if the program was interrupted meanwhile. */
function pause(): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (goesOn: boolean): void => {
      clearTimeout(timer);
      process.removeListener('SIGINT', interrupted).removeListener('SIGTERM', interrupted);
      resolve(goesOn);
    };
    const interrupted = (): void => end(false);
    const timer = setTimeout(() => end(true), FOLLOW_MILLISECONDS);
    process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  });
}

function cellsOf({ type, accountId, accountSequence, data }: AccountEvent) {
  return [type, accountId, accountSequence, textOf(data)];
}

function textOf(data: AccountEvent['data']): string {
  return Object.entries(data).flatMap(([name, value]) => (value === null ? [] : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`])).join(' ');
}

function lineOf(event: AccountEvent): string {
  return [rfc3339(event.at), ...cellsOf(event)].filter((cell) => cell !== null).join('  ');
}

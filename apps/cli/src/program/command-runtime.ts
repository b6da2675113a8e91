import { resolve } from 'node:path';
import { Databases, IN_MEMORY, MissingDatabaseError, type SqlStore, type StoreOptions, type StoreReader } from '@tollgate/sql-common';
import {
  AccountAdministration, AccountDeletion, AccountStandings, type Actor, type ApiKeySecretGenerator, Blocklist, type Catalogue, type CatalogueSource,
  type Clock, COMMAND_LINE_ACTOR_ID, foldEmail, type IdGenerator, KeyManagement, type OperatorAct, type PersonId, printable,
} from '@tollgate/core';
import { FactorNotices, type IdentityIdGenerator, Operators, type Person } from '@tollgate/identity';
import {
  type Discover, DISCOVERED_UPSTREAM_ID, type Environment, openCatalogue, readSettings, type Settings, withEnvironmentFile,
} from '@tollgate/adapters-config';
import { RandomIds, RandomSecretTokens, Sha256Hasher, SystemClock } from '@tollgate/adapters-node';
import { discoverModels } from '@tollgate/adapters-upstream';
import type { Command } from 'commander';
import { CommandFailure, EXIT_CODES, type ExitCode, misuse, type OutputForm, print, type Report, type Terminal } from './terminal.js';

/** The adapter of a database, and its driver, are loaded when a database of its kind is opened. */
export const databases = new Databases({ sqlite: () => import('@tollgate/adapters-sqlite'), postgres: () => import('@tollgate/adapters-postgres') });

const NAME = /^[\w.:-]{1,64}$/;

/**
 * The actor of the audit trail: an operator's person id, or the name of a job.
 * The name of the operating system's user is stored beside it, in a text that can be erased.
 */
async function operatorActor({ people }: Pick<SqlStore, 'people'>, userName: string, as: string | null): Promise<Actor> {
  const origin = { place: 'command-line', user: userName, address: null } as const;
  if (as === null) return { kind: 'operator', id: COMMAND_LINE_ACTOR_ID, origin };
  if (namesPerson(as)) return { kind: 'operator', id: (await operatorNamed(people, as)).id, origin };
  if (!NAME.test(as)) throw misuse('option \'--as <operator>\' takes an operator\'s e-mail address, or at most 64 letters, digits and . _ : -');
  return { kind: 'operator', id: as, origin };
}

/** Names of jobs contain no `@` and do not start with `person_`, so they never match a person. */
function namesPerson(as: string): boolean {
  return as.includes('@') || as.startsWith('person_');
}

async function operatorNamed(people: SqlStore['people'], emailOrId: string): Promise<Person> {
  const record = await (emailOrId.includes('@') ? people.findByEmail(foldEmail(emailOrId)) : people.find(emailOrId as PersonId));
  if (record?.person.role !== 'operator') throw misuse(`option '--as <operator>': there is no operator ${emailOrId}`);
  return record.person;
}

/** The services that commands use, over one open database. */
export interface OperatorSession {
  readonly store: SqlStore;
  /** Without the models that a server lists. */
  readonly catalogue: CatalogueSource;
  /** The catalogue with the models that the server of `UPSTREAM_BASE_URL` lists. Rejects where that server does not answer. */
  readonly modelsOnOffer: () => Promise<Catalogue>;
  readonly accounts: AccountAdministration;
  readonly standings: AccountStandings;
  readonly blocklist: Blocklist;
  readonly deletions: AccountDeletion;
  /** From a request for deletion until it is due. */
  readonly deletionGraceMilliseconds: number;
  readonly keys: KeyManagement;
  readonly operators: Operators;
  /** Mail about second factors, which a running gateway delivers. */
  readonly notices: FactorNotices;
  /** The address at which browsers reach the dashboard. Throws a misuse if the settings do not give one. */
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly ids: IdGenerator & ApiKeySecretGenerator & IdentityIdGenerator;
  /** The audit trail records every change under this actor. */
  readonly actor: Actor;
  /** The actor, at the current time. */
  act(): OperatorAct;
  close(): Promise<void>;
}

/** The environment, folder and user that the command line runs with. */
export interface ProgramContext {
  readonly environment: Environment;
  /** Relative paths of settings and `.env` are resolved here. */
  readonly folder: string;
  readonly userName: string;
}

/** Asks the server of `UPSTREAM_BASE_URL` for its models. */
export const askUpstream: Discover = ({ kind, baseUrl, apiKey, timeouts }) =>
  discoverModels({ id: DISCOVERED_UPSTREAM_ID, kind, baseUrl, apiKey, options: { timeouts } }, new SystemClock());

/** Most commands need plans only, which do not depend on the models. */
const DISCOVER_NOTHING: Discover = ({ baseUrl }) => Promise.resolve({ baseUrl, models: [] });

/** Reads the gateway's settings. Throws a misuse that lists every problem. */
export function settingsOf({ environment, folder }: ProgramContext): { readonly settings: Settings; readonly environment: Environment } {
  const complete = withEnvironmentFile(environment, folder);
  const reading = readSettings(complete);
  if ('problems' in reading) throw misuse(reading.problems.join('\n'));
  return { settings: withAbsolutePaths(reading.settings, folder), environment: complete };
}

/** The same settings, with paths relative to a folder made absolute. */
function withAbsolutePaths(settings: Settings, folder: string): Settings {
  const { database, outboxFile, catalogueFile, mail, secret, secret: { source } } = settings;
  return {
    ...settings,
    database: database.kind === 'sqlite' && database.path !== IN_MEMORY ? { ...database, path: resolve(folder, database.path) } : database,
    outboxFile: outboxFile === null ? null : resolve(folder, outboxFile),
    catalogueFile: catalogueFile === null ? null : resolve(folder, catalogueFile),
    mail: mail.kind === 'folder' ? { ...mail, folder: resolve(folder, mail.folder) } : mail,
    secret: source.kind === 'file' ? { ...secret, source: { ...source, path: resolve(folder, source.path) } } : secret,
  };
}

/** The catalogue of the settings. */
export async function catalogueOf(programContext: ProgramContext, discover: Discover): Promise<CatalogueSource> {
  const { settings, environment } = settingsOf(programContext);
  const opening = await openCatalogue(settings, environment, discover);
  if ('problems' in opening) throw misuse(opening.problems.join('\n'));
  return opening.opened.source;
}

/** Scheme, host and port of the dashboard. */
function publicUrlOf({ port, dashboard: { publicUrl } }: Settings): string {
  if (publicUrl !== null) return publicUrl;
  if (port === 0) throw misuse('PUBLIC_URL: must be set if PORT is 0, because links contain it');
  return `http://localhost:${port}`;
}

/** Opens the database of the settings. If it is missing, the failure names the command that creates it. */
export function openDatabase({ database }: Settings, options: StoreOptions): Promise<SqlStore> {
  return namingCreation(databases.open(database, options));
}

async function namingCreation<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (thrown) {
    if (!(thrown instanceof MissingDatabaseError)) throw thrown;
    throw new CommandFailure(`${thrown.message} (DATABASE_URL); \`tollgate database create\` creates one`);
  }
}

/** Opens the database that the gateway uses, whether or not it runs. */
async function openSession(programContext: ProgramContext, operator: string | null): Promise<OperatorSession> {
  const { settings } = settingsOf(programContext);
  const catalogue = await catalogueOf(programContext, DISCOVER_NOTHING);
  const [clock, ids] = [new SystemClock(), new RandomIds()];
  const store = await openDatabase(settings, { clock, processId: ids.processId(), whenMissing: 'refuse' });
  try {
    return sessionOver({ settings, catalogue, store, clock, ids, actor: await operatorActor(store, programContext.userName, operator), programContext });
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

interface SessionParts extends Pick<OperatorSession, 'store' | 'catalogue' | 'clock' | 'ids' | 'actor'> {
  readonly settings: Settings;
  readonly programContext: ProgramContext;
}

function sessionOver({ settings, catalogue, store, clock, ids, actor, programContext }: SessionParts): OperatorSession {
  const standings = new AccountStandings({ accounts: store.accounts, clock });
  return {
    store,
    catalogue,
    modelsOnOffer: async () => (await catalogueOf(programContext, askUpstream)).current(),
    accounts: new AccountAdministration({ accounts: store.accounts, ledger: store.ledger, catalogue, ids, clock }),
    standings,
    blocklist: new Blocklist({ controls: store.controls, standings, keys: store.keys, clock }),
    deletions: new AccountDeletion({ accounts: store.accounts, erasure: store.erasure, clock }),
    deletionGraceMilliseconds: settings.deletionGraceMilliseconds,
    keys: new KeyManagement({ keys: store.keys, ids, hasher: new Sha256Hasher(), clock }),
    operators: new Operators({ records: store.people, tokens: new RandomSecretTokens(), ids }),
    notices: new FactorNotices({ ids, baseUrl: () => publicUrlOf(settings), onStored: () => undefined }),
    publicUrl: () => publicUrlOf(settings),
    clock,
    ids,
    actor,
    act: () => ({ actor, at: clock.now() }),
    close: () => store.close(),
  };
}

interface GlobalOptions { readonly json?: true; readonly as?: string; readonly yes?: true }

/** The option of commands that ask for confirmation. */
export const YES_OPTION = ['--yes', 'do not ask for confirmation; required without a terminal'] as const;

/** Between two lines of progress without a terminal. */
const LINE_MILLISECONDS = 10_000;

const CONSENT = /^y(es)?$/i;

/** Runs the commands of one invocation and keeps the exit code. */
export class CommandRuntime {
  #exitCode: ExitCode = EXIT_CODES.done;

  constructor(readonly programContext: ProgramContext, private readonly terminal: Terminal) {}

  get exitCode(): ExitCode {
    return this.#exitCode;
  }

  /** Returns once the user or `--yes` confirms these consequences; throws otherwise. */
  async confirm(command: Command, consequences: string): Promise<void> {
    const { json, yes } = command.optsWithGlobals<GlobalOptions>();
    if (yes === true) return;
    // With --json there is no user to ask.
    if (json === true || this.terminal.ask === undefined) throw misuse(`${consequences} Repeat the command with --yes to do it`);
    const answer = await this.terminal.ask(`${consequences} Continue? [y/N] `);
    if (!CONSENT.test(answer.trim())) throw new CommandFailure('nothing is changed');
  }

  /** Reports progress to the terminal, if there is one; nothing with `--json`. */
  progressOf(command: Command): (text: string) => void {
    const { json } = command.optsWithGlobals<GlobalOptions>();
    return (text) => {
      if (json !== true) this.terminal.progress?.(printable(text));
    };
  }

  /** Reports progress as `progressOf` does; without a terminal as lines on standard error, a few a minute. */
  longProgressOf(command: Command): (text: string) => void {
    if (command.optsWithGlobals<GlobalOptions>().json === true || this.terminal.progress !== undefined) return this.progressOf(command);
    let next = 0;
    return (text) => {
      if (performance.now() < next) return;
      next = performance.now() + LINE_MILLISECONDS;
      this.terminal.error(`${printable(text)}\n`);
    };
  }

  /** Writes a part of a result that is too long for memory. */
  async write(text: string): Promise<void> {
    if (this.terminal.outPart === undefined) this.terminal.out(text);
    else await this.terminal.outPart(text);
  }

  /** Opens the database, does the work, closes the database and prints the report; `null` if the work has written its result itself. */
  async perform(command: Command, work: (session: OperatorSession) => Promise<Report | null>): Promise<void> {
    const { as } = command.optsWithGlobals<GlobalOptions>();
    const session = await openSession(this.programContext, as ?? null);
    try {
      const report = await work(session);
      if (report !== null) this.report(command, report);
    } finally {
      await session.close();
    }
  }

  /** Opens the database for reading alone, which also works for a read-only copy, does the work and prints the report. */
  async performReading(command: Command, work: (reader: StoreReader) => Promise<Report>): Promise<void> {
    const { settings } = settingsOf(this.programContext);
    const reader = await namingCreation(databases.openReader(settings.database));
    try {
      this.report(command, await work(reader));
    } finally {
      await reader.close();
    }
  }

  /** Prints the report of a command that needs no database. */
  report(command: Command, report: Report): void {
    const form: OutputForm = command.optsWithGlobals<GlobalOptions>().json === true ? 'json' : 'text';
    this.#exitCode = report.exitCode ?? EXIT_CODES.done;
    print(report, form, this.terminal);
  }
}

import type { ModelTurn, Settings, Turn, UserTurn } from './conversation';
import { DEFAULT_SETTINGS } from './preset';

/** A conversation with one model. */
export interface KeptLane {
  readonly settings: Settings;
  readonly turns: readonly Turn[];
}

/** The part of the playground that a reload keeps. */
export interface KeptSession {
  /** Query string of the URL when the session was kept. */
  readonly search: string;
  readonly lanes: readonly KeptLane[];
  /** The message that is not sent yet. */
  readonly text: string;
}

const VERSION = 1;
/** Maximum length of a kept session. Browsers store about five million characters for an origin. */
export const MAX_KEPT_CHARACTERS = 2_000_000;

function withoutRaw(turn: Turn): Turn {
  return turn.role === 'model' ? { ...turn, raw: null } : turn;
}

function withoutPictures(turn: Turn): Turn {
  return turn.role === 'user' ? { ...turn, pictures: [] } : turn;
}

function written({ lanes, ...session }: KeptSession, change: (turn: Turn) => Turn): string {
  return JSON.stringify({ version: VERSION, ...session, lanes: lanes.map(({ settings, turns }) => ({ settings, turns: turns.map(change) })) });
}

/** Omits the raw requests and replies. If the text is still too long, omits pictures too; `null` if that is not enough. */
export function writeKept(session: KeptSession): string | null {
  const whole = written(session, withoutRaw);
  if (whole.length <= MAX_KEPT_CHARACTERS) return whole;
  const text = written(session, (turn) => withoutPictures(withoutRaw(turn)));
  return text.length <= MAX_KEPT_CHARACTERS ? text : null;
}

function isUserTurn(value: Partial<UserTurn>): boolean {
  return typeof value.text === 'string' && Array.isArray(value.pictures) && Array.isArray(value.results);
}

function isModelTurn(value: Partial<ModelTurn>): boolean {
  return typeof value.model === 'string' && typeof value.reply === 'object' && typeof value.reply.text === 'string' && Array.isArray(value.reply.toolCalls);
}

function isTurn(value: unknown): value is Turn {
  if (typeof value !== 'object' || value === null || !('role' in value)) return false;
  return value.role === 'user' ? isUserTurn(value as Partial<UserTurn>) : value.role === 'model' && isModelTurn(value as Partial<ModelTurn>);
}

/** Marks a running reply as stopped, because the reload has stopped it. */
function ended(turn: Turn): Turn {
  return turn.role === 'model' && turn.took === null ? { ...turn, took: 0, stopped: true } : turn;
}

function laneOf(value: unknown): KeptLane | null {
  const { settings, turns } = value as { readonly settings?: Partial<Settings>; readonly turns?: readonly unknown[] };
  if (typeof settings?.model !== 'string' || !Array.isArray(turns) || !turns.every(isTurn)) return null;
  return { settings: { ...DEFAULT_SETTINGS, ...settings }, turns: turns.map(ended) };
}

/** Decodes a kept session; `null` if another version wrote it, or if it is damaged. */
export function readKept(text: string | null): KeptSession | null {
  if (text === null) return null;
  try {
    const { version, search, lanes, text: draft } = JSON.parse(text) as { readonly version?: number; readonly search?: string; readonly lanes?: readonly unknown[]; readonly text?: string };
    const read = (lanes ?? []).map(laneOf).filter((lane) => lane !== null);
    if (version !== VERSION || typeof search !== 'string' || typeof draft !== 'string' || read.length === 0 || read.length !== lanes?.length) return null;
    return { search, lanes: read, text: draft };
  } catch {
    return null;
  }
}

import type { AdmissionTicket } from '@tollgate/core';

/** Explanations of the error codes with which Redis refuses connections or writes. */
const REFUSALS: Readonly<Record<string, string>> = {
  READONLY: 'it is a read-only replica',
  OOM: 'its memory is full',
  MISCONF: 'it cannot save to its disk',
  LOADING: 'it is loading its data',
  NOREPLICAS: 'it has too few replicas',
  MASTERDOWN: 'it has lost its master',
  CLUSTERDOWN: 'its cluster does not serve all keys',
  MOVED: 'it is a node of a cluster, and another node has the key',
  NOAUTH: 'it requires a password',
  WRONGPASS: 'it does not accept the user or password',
  NOPERM: 'this user may not run the command',
};

/** Returns why Redis refuses connections or writes; `null` for other failures. */
export function redisRefusalOf(failure: unknown): string | null {
  const message = failure instanceof Error ? failure.message : '';
  const refusal = Object.entries(REFUSALS).find(([code]) => new RegExp(`\\b${code}\\b`, 'u').test(message));
  return refusal === undefined ? null : `${refusal[1]} (${refusal[0]})`;
}

/** Redis is unreachable, too slow, or refused the command. The command may have taken effect. */
export class RedisUnavailable extends Error {
  override readonly name: string = 'RedisUnavailable';

  constructor(cause: unknown) {
    super('Redis did not answer', { cause });
  }
}

/** An admission without an answer. It may have taken effect, or may do so later. */
export class UnansweredAdmission extends RedisUnavailable {
  override readonly name = 'UnansweredAdmission';

  /** The caller must release `ticket` when Redis responds again. The release frees the slot if the admission took effect. */
  constructor(cause: unknown, readonly ticket: AdmissionTicket) {
    super(cause);
  }
}

export async function answered<Answer>(command: Promise<Answer>): Promise<Answer> {
  try {
    return await command;
  } catch (cause) {
    throw new RedisUnavailable(cause);
  }
}

import type { AccountNoteRecords } from '@tollgate/core';

/** For stores without notes: no account has a note, and none can be added. */
export const NO_ACCOUNT_NOTES: AccountNoteRecords = {
  list: () => Promise.resolve([]), add: () => Promise.resolve({ outcome: 'no-such-account' }), change: () => Promise.resolve({ outcome: 'no-such-note' }), remove: () => Promise.resolve('no-such-note'),
};

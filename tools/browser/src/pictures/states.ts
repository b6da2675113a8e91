import { ACCOUNT_TABS, ENTRY_PAGES, OPERATOR_ACCOUNT_TABS, operatorPages, ownerPages } from '../checks/pages.js';
import { furtherStates } from './further-states.js';
import type { Gallery, Viewer } from './gallery.js';
import { ALL_LOOKS, nameOf, ONE_LOOK, type State } from './state.js';

/** Every page, every further tab, and what can lie over pages. */
export function statesOf({ people, subjects }: Gallery): readonly State[] {
  const page = (viewer: Viewer, path: string, looks = ALL_LOOKS): State => ({ name: nameOf(path), viewer, path, looks });
  const { accountId } = people.owner;
  const states: readonly State[] = [
    ...ENTRY_PAGES.filter((path) => path !== '/two-factor').map((path) => page('stranger', path)),
    ...ownerPages(subjects).map((path) => page('owner', path)),
    ...operatorPages(accountId, subjects.requestId).map((path) => page('operator', path)),
    ...ACCOUNT_TABS.slice(1).map((tab) => page('owner', `/account?tab=${tab}`, ONE_LOOK)),
    // That an operator looked at what an owner sees is on record.
    ...OPERATOR_ACCOUNT_TABS.slice(1).map((tab) => ({ ...page('operator', `/operator/accounts/${accountId}?tab=${tab}`, ONE_LOOK), changes: tab === 'owner' })),
    ...furtherStates({ accountId, ...subjects }),
  ];
  // What changes something comes last, so that other pictures are the same without it.
  return [...states.filter(({ changes }) => changes !== true), ...states.filter(({ changes }) => changes === true)];
}

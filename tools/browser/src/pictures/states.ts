import { ACCOUNT_TABS, ENTRY_PAGES, OPERATOR_ACCOUNT_TABS, operatorPages, ownerPages } from '../checks/pages.js';
import { furtherStates } from './further-states.js';
import type { Gallery, Viewer } from './gallery.js';
import { ALL_LOOKS, ONE_LOOK, type State } from './state.js';

/** `/operator/accounts/acct_1?tab=keys` is `operator-account-keys`. */
function nameOf(path: string): string {
  const [pathname = '', query = ''] = path.split('?');
  const parts = pathname.split('/').filter(Boolean).map((part) => (/_|^sandbox-/.test(part) ? 'one' : part));
  return [...parts, ...query.split('&').filter(Boolean).map((pair) => pair.split('=')[1] ?? '')].join('-');
}

/** Every page, every further tab, and what can lie over pages. */
export function statesOf({ people, subjects }: Gallery): readonly State[] {
  const page = (viewer: Viewer, path: string, looks = ALL_LOOKS): State => ({ name: nameOf(path), viewer, path, looks });
  const { accountId } = people.owner;
  return [
    ...ENTRY_PAGES.filter((path) => path !== '/two-factor').map((path) => page('stranger', path)),
    ...ownerPages(subjects).map((path) => page('owner', path)),
    ...operatorPages(accountId, subjects.requestId).map((path) => page('operator', path)),
    ...ACCOUNT_TABS.slice(1).map((tab) => page('owner', `/account?tab=${tab}`, ONE_LOOK)),
    ...OPERATOR_ACCOUNT_TABS.slice(1).map((tab) => page('operator', `/operator/accounts/${accountId}?tab=${tab}`, ONE_LOOK)),
    ...furtherStates({ accountId, ...subjects }),
  ];
}

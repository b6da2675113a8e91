import { shown } from '../driver/page-states.js';
import { ACCOUNT_TABS, ENTRY_PAGES, OPERATOR_ACCOUNT_TABS, operatorPages, ownerPages } from '../pages/dashboard-pages.js';
import type { Condition } from './conditions.js';
import { ANY_EXAMPLES, type Examples } from './examples.js';
import { furtherStates } from './further-states.js';
import { allFailing, allWaiting } from './replies.js';
import { ALL_LOOKS, type Look, nameOf, ONE_LOOK, type State, TWO_LOOKS, type Viewer } from './state.js';

interface SeenPage {
  readonly viewer: Viewer;
  readonly path: string;
  readonly isTab?: boolean;
  readonly changes?: boolean;
}

function pagesOf(examples: Examples): readonly SeenPage[] {
  const { accountId, requestId, paymentId, checkout, vouchers } = examples;
  const seenBy = (viewer: Viewer) => (path: string): SeenPage => ({ viewer, path });
  return [
    ...[...ownerPages(examples), `/billing/payments/${paymentId}`, `/simulated-checkout/${checkout}`].map(seenBy('owner')),
    ...[...operatorPages(accountId, requestId), `/operator/payments/${paymentId}`, `/operator/vouchers/${vouchers.batchId}`].map(seenBy('operator')),
    ...ACCOUNT_TABS.slice(1).map((tab): SeenPage => ({ viewer: 'owner', path: `/account?tab=${tab}`, isTab: true })),
    // The tab that shows an operator the owner's overview changes data, because the view is audited.
    ...OPERATOR_ACCOUNT_TABS.slice(1).map((tab): SeenPage => ({ viewer: 'operator', path: `/operator/accounts/${accountId}?tab=${tab}`, isTab: true, changes: tab === 'owner' })),
  ];
}

/** True for the page of a key, a request, a payment or a batch of vouchers. An empty gallery has none of them. */
function needsMore({ path }: SeenPage, { keyId, requestId, paymentId, checkout, vouchers }: Examples): boolean {
  return [keyId, requestId, paymentId, checkout, vouchers.batchId].some((id) => path.endsWith(`/${id}`));
}

/** Paths of pages that show neither an error nor loading: they request no data when they open, or keep what they show. */
const ASKS_LATER: readonly string[] = ['/playground', '/operator/live'];

function asks({ path, isTab = false }: SeenPage): boolean {
  return !isTab && !ASKS_LATER.includes(path);
}

function stateOf({ viewer, path, changes = false }: SeenPage, condition: Condition, looks: readonly Look[]): State {
  return { name: condition === 'usual' ? nameOf(path) : `${nameOf(path)}-${condition}`, viewer, path, looks, changes };
}

/** States in the order of the visits. Those that change data come last, so that they do not affect other pictures. */
export function statesIn(conditions: readonly Condition[], examples: Examples = ANY_EXAMPLES): readonly State[] {
  const states = conditions.flatMap((condition) => statesOf(condition, examples));
  return [...states.filter(({ changes }) => changes !== true), ...states.filter(({ changes }) => changes === true)];
}

function statesOf(condition: Condition, examples: Examples): readonly State[] {
  const pages = pagesOf(examples);
  const here = (page: SeenPage): State => stateOf(page, condition, TWO_LOOKS);
  switch (condition) {
    case 'usual': return [
      ...ENTRY_PAGES.filter((path) => path !== '/two-factor').map((path) => stateOf({ viewer: 'stranger', path }, condition, ALL_LOOKS)),
      ...pages.map((page) => stateOf(page, condition, page.isTab === true ? ONE_LOOK : ALL_LOOKS)),
    ];
    case 'empty': return pages.filter((page) => !needsMore(page, examples)).map(here);
    case 'error': return pages.filter(asks).map((page) => ({ ...here(page), prepare: allFailing, act: (opened) => shown(opened.getByRole('alert')) }));
    case 'loading': return pages.filter(asks).map((page) => ({ ...here(page), isLoading: true, prepare: allWaiting, act: (opened) => shown(opened.locator('main [aria-busy="true"]')) }));
    case 'further': return furtherStates(examples);
    case 'large': case 'long': case 'rtl': return pages.map(here);
  }
}

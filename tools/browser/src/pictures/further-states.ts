import { shown } from '../checks/check-context.js';
import { operatorPages, ownerPages, type Subjects } from '../checks/pages.js';
import { allFailing, changed, failing, waiting } from './answers.js';
import { operatorDialogs, ownerDialogs } from './dialog-states.js';
import { ALL_LOOKS, nameOf, type NamedState, type State, TWO_LOOKS } from './state.js';

interface Examples extends Subjects {
  readonly accountId: string;
}

const MODELS = 20;
const MAINTENANCE = {
  kind: 'maintenance', state: 'on', from: '2026-11-22T14:00:00Z', until: '2026-11-22T15:30:00Z', text: 'Maintenance is on. Requests are refused with maintenance_mode. We move to larger machines.',
};

/** Many models, of which some are not in the plan. */
function manyModels({ data, ...list }: Record<string, unknown>): Record<string, unknown> {
  const models = data as readonly Record<string, unknown>[];
  const many = Array.from({ length: MODELS }, (_, index) => {
    const model = models[index % models.length] ?? {};
    return { ...model, id: `${String(model['id'])}-${index + 1}`, display_name: `${String(model['display_name'])} ${index + 1}`, in_plan: index % 7 !== 6 };
  });
  return { ...list, data: many };
}

/** A session that has yet to prove a second factor, or to set one up. */
function reaching(reach: 'prove-factor' | 'enrol-factor') {
  return changed('/auth/session', (body) => ({ ...body, reach, factors: reach === 'prove-factor' ? ['totp', 'passkey'] : [] }));
}

function withBanner(viewer: 'owner' | 'operator', path: string): NamedState {
  return { name: `banner${nameOf(path, '-')}`, viewer, path, prepare: changed('/me', (body) => ({ ...body, banner: MAINTENANCE })), act: (page) => shown(page.getByText('We move to larger machines.')) };
}

const EMPTY_LIST = { object: 'list', data: [], has_more: false, next_cursor: null };

function emptyStates(): readonly NamedState[] {
  return [
    ...['/overview', '/usage', '/activity'].map((path): NamedState => ({ name: `empty${nameOf(path, '-')}`, viewer: 'newcomer', path })),
    { name: 'empty-keys', viewer: 'newcomer', path: '/keys', prepare: changed('/keys?*', () => EMPTY_LIST) },
    { name: 'empty-models', viewer: 'newcomer', path: '/models', prepare: changed('/models', (body) => ({ ...body, data: [] })) },
    { name: 'empty-playground', viewer: 'newcomer', path: '/playground' },
    { name: 'empty-operator-live', viewer: 'operator', path: '/operator/live' },
    { name: 'models-20', viewer: 'owner', path: '/models', prepare: changed('/models', manyModels) },
    { name: 'long-overview', viewer: 'longNamed', path: '/overview' },
    { name: 'long-keys', viewer: 'longNamed', path: '/keys' },
    { name: 'long-account', viewer: 'longNamed', path: '/account?tab=profile' },
    { name: 'not-found', viewer: 'owner', path: '/no-such-page' },
    { name: 'record-not-found', viewer: 'owner', path: '/usage/req_00000000000000000000' },
    { name: 'no-account-matches', viewer: 'operator', path: '/operator/accounts?q=nobody@example.com' },
    withBanner('owner', '/overview'),
    withBanner('owner', '/playground'),
  ];
}

/** Pages whose reads all fail, pages of which a part fails, and pages that load. */
function unreadStates({ accountId, ...subjects }: Examples): readonly NamedState[] {
  const failed = (viewer: 'owner' | 'operator') => (path: string): NamedState => ({ name: `failed${nameOf(path, '-')}`, viewer, path, prepare: allFailing, act: (page) => shown(page.getByRole('alert')) });
  const loading = (viewer: 'owner' | 'operator', path: string, routes: string): NamedState => ({
    name: `loading${nameOf(path, '-')}`, viewer, path, isLoading: true, prepare: waiting(routes), act: (page) => shown(page.locator('main [aria-busy="true"]')),
  });
  return [
    ...ownerPages(subjects).filter((path) => path !== '/playground').map(failed('owner')),
    ...operatorPages(accountId, subjects.requestId).filter((path) => path !== '/operator/live').map(failed('operator')),
    { name: 'failed-usage-sums', viewer: 'owner', path: '/usage', prepare: failing('/usage/summary*'), act: (page) => shown(page.getByRole('button', { name: 'Try again' })) },
    { name: 'failed-usage-list', viewer: 'owner', path: '/usage', prepare: failing('/usage?*'), act: (page) => shown(page.getByRole('button', { name: 'Try again' })) },
    loading('owner', '/overview', '/overview'),
    loading('owner', '/usage', '/usage?*'),
    loading('owner', '/keys', '/keys?*'),
    loading('owner', '/models', '/models'),
    loading('operator', `/operator/accounts/${accountId}`, '/operator/accounts/*'),
  ];
}

/** What is looked at in two ways unless it says in which: empty, loading and failed pages, many and long things, dialogs, drawers. */
export function furtherStates(examples: Examples): readonly State[] {
  const states = [...emptyStates(), ...unreadStates(examples), ...ownerDialogs(examples), ...operatorDialogs(examples.accountId)];
  return [
    { name: 'two-factor', viewer: 'owner', path: '/two-factor', looks: ALL_LOOKS, prepare: reaching('prove-factor') },
    { name: 'two-factor-enrol', viewer: 'owner', path: '/two-factor', looks: ALL_LOOKS, prepare: reaching('enrol-factor') },
    ...states.map((state) => ({ ...state, looks: state.looks ?? TWO_LOOKS })),
  ];
}

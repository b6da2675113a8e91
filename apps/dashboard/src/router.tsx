import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, notFound, Outlet, redirect } from '@tanstack/react-router';
import { hasCode } from './api/api-error';
import { PRESET_PARAMETERS } from './pages/playground/preset-parameters';
import { parseSearch, stringifySearch, textSearch } from './routing';
import { keepReturn, keptReturn } from './session/kept-return';
import { meQuery } from './session/person';
import { returnAddress, returnAfterFactor } from './session/return-address';
import { NotFoundPage } from './shell/not-found-page';
import { Shell } from './shell/shell';
import { StartFailure } from './shell/start-failure';

interface Context {
  readonly client: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFoundPage, errorComponent: StartFailure });

// Pages that need no session.
const entry = createRoute({ getParentRoute: () => root, id: 'entry', component: lazyRouteComponent(() => import('./pages/entry/entry-layout'), 'EntryLayout') });
const entryPage = { getParentRoute: () => entry };
const entryRoutes = [
  createRoute({ ...entryPage, path: '/sign-in', validateSearch: textSearch('to', 'refused'), component: lazyRouteComponent(() => import('./pages/entry/sign-in-page'), 'SignInPage') }),
  createRoute({ ...entryPage, path: '/sign-up', component: lazyRouteComponent(() => import('./pages/entry/sign-up-page'), 'SignUpPage') }),
  createRoute({ ...entryPage, path: '/verify', component: lazyRouteComponent(() => import('./pages/entry/verify-page'), 'VerifyPage') }),
  createRoute({ ...entryPage, path: '/reset', component: lazyRouteComponent(() => import('./pages/entry/reset-page'), 'ResetPage') }),
  createRoute({ ...entryPage, path: '/forgot', component: lazyRouteComponent(() => import('./pages/entry/forgot-page'), 'ForgotPage') }),
  createRoute({ ...entryPage, path: '/invite', component: lazyRouteComponent(() => import('./pages/entry/invite-page'), 'InvitePage') }),
  createRoute({ ...entryPage, path: '/link', component: lazyRouteComponent(() => import('./pages/entry/link-page'), 'LinkPage') }),
  createRoute({ ...entryPage, path: '/change-email', component: lazyRouteComponent(() => import('./pages/entry/change-email-page'), 'ChangeEmailPage') }),
  createRoute({ ...entryPage, path: '/agree', validateSearch: textSearch('to'), component: lazyRouteComponent(() => import('./pages/entry/agree-page'), 'AgreePage') }),
  createRoute({ ...entryPage, path: '/two-factor', validateSearch: textSearch('to'), component: lazyRouteComponent(() => import('./pages/entry/two-factor-page'), 'TwoFactorPage') }),
] as const;

const referenceRoute = createRoute({ getParentRoute: () => root, path: '/reference', validateSearch: textSearch('surface'), component: lazyRouteComponent(() => import('./pages/reference/reference-page'), 'ReferencePage') });

/** The pages below wait only for the session. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ context: { client }, location }) => {
    const to = location.pathname + location.searchStr;
    try {
      await client.ensureQueryData(meQuery);
    } catch (error) {
      if (hasCode(error, 'second_factor_required')) throw redirect({ to: '/two-factor', search: { to: returnAfterFactor(to, keptReturn()) } });
      if (hasCode(error, 'consent_required')) throw redirect({ to: '/agree', search: { to: returnAfterFactor(to, keptReturn()) } });
      if (hasCode(error, 'not_signed_in')) throw redirect({ to: '/sign-in', search: { to } });
      throw error;
    }
  },
});
const page = { getParentRoute: () => shell };
const ownerRoutes = [
  createRoute({
    ...page, path: '/',
    beforeLoad: async ({ context: { client } }) => {
      const { person } = await client.ensureQueryData(meQuery);
      // After a sign-in through an issuer, the browser always arrives at this page.
      const kept = returnAddress(keptReturn());
      keepReturn(undefined);
      if (kept !== null) throw redirect({ href: `/dashboard${kept}`, replace: true });
      throw redirect({ to: person.role === 'operator' ? '/operator/overview' : '/overview', replace: true });
    },
  }),
  createRoute({ ...page, path: '/overview', component: lazyRouteComponent(() => import('./pages/overview/overview-page'), 'OverviewPage') }),
  createRoute({ ...page, path: '/keys', validateSearch: textSearch('create'), component: lazyRouteComponent(() => import('./pages/keys/keys-page'), 'KeysPage') }),
  createRoute({ ...page, path: '/keys/$id', component: lazyRouteComponent(() => import('./pages/keys/key-page'), 'KeyPage') }),
  createRoute({ ...page, path: '/webhooks', component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page'), 'WebhooksPage') }),
  createRoute({ ...page, path: '/webhooks/$id', component: lazyRouteComponent(() => import('./pages/webhooks/webhook-page'), 'WebhookPage') }),
  createRoute({ ...page, path: '/usage', validateSearch: textSearch('start', 'end', 'at', 'model', 'key_id', 'user', 'end_reason', 'min_charge', 'group', 'measure', 'view', 'record'), component: lazyRouteComponent(() => import('./pages/usage/usage-page'), 'UsagePage') }),
  createRoute({ ...page, path: '/usage/$requestId', component: lazyRouteComponent(() => import('./pages/usage/record-page'), 'RecordPage') }),
  createRoute({ ...page, path: '/models', component: lazyRouteComponent(() => import('./pages/models/models-page'), 'ModelsPage') }),
  createRoute({ ...page, path: '/models/$id', validateSearch: textSearch('snippet'), component: lazyRouteComponent(() => import('./pages/models/model-page'), 'ModelPage') }),
  createRoute({ ...page, path: '/playground', validateSearch: textSearch('try', ...PRESET_PARAMETERS), component: lazyRouteComponent(() => import('./pages/playground/playground-page'), 'PlaygroundPage') }),
  createRoute({ ...page, path: '/billing', component: lazyRouteComponent(() => import('./pages/billing/billing-page'), 'BillingPage') }),
  createRoute({ ...page, path: '/statements', beforeLoad: () => { throw redirect({ to: '/billing', hash: 'statements', replace: true }); } }),
  createRoute({ ...page, path: '/billing/payments/$id', component: lazyRouteComponent(() => import('./pages/billing/payment-page'), 'PaymentPage') }),
  createRoute({ ...page, path: '/simulated-checkout/$id', component: lazyRouteComponent(() => import('./pages/billing/simulated-checkout-page'), 'SimulatedCheckoutPage') }),
  createRoute({ ...page, path: '/activity', component: lazyRouteComponent(() => import('./pages/activity/activity-page'), 'ActivityPage') }),
  createRoute({ ...page, path: '/account', validateSearch: textSearch('tab'), component: lazyRouteComponent(() => import('./pages/account/account-page'), 'AccountPage') }),
] as const;

/** The operators' pages. Owners who open one see the page for unknown addresses. */
const operator = createRoute({
  ...page,
  path: '/operator',
  beforeLoad: async ({ context: { client } }) => {
    if ((await client.ensureQueryData(meQuery)).person.role !== 'operator') throw notFound();
  },
  component: Outlet,
  // Shown in place of the page, within the shell, as for every unknown address.
  notFoundComponent: NotFoundPage,
});
const operatorPage = { getParentRoute: () => operator };
const operatorRoutes = [
  createRoute({ ...operatorPage, path: '/', beforeLoad: () => { throw redirect({ to: '/operator/overview', replace: true }); } }),
  createRoute({ ...operatorPage, path: '/overview', component: lazyRouteComponent(() => import('./pages/operator/overview/overview-page'), 'OperatorOverviewPage') }),
  createRoute({ ...operatorPage, path: '/live', component: lazyRouteComponent(() => import('./pages/operator/live/live-page'), 'LivePage') }),
  createRoute({ ...operatorPage, path: '/accounts', validateSearch: textSearch('q', 'plan', 'standing', 'below', 'used', 'sort'), component: lazyRouteComponent(() => import('./pages/operator/accounts/accounts-page'), 'AccountsPage') }),
  createRoute({ ...operatorPage, path: '/accounts/$id', validateSearch: textSearch('tab'), component: lazyRouteComponent(() => import('./pages/operator/accounts/account-page'), 'OperatorAccountPage') }),
  createRoute({ ...operatorPage, path: '/usage', validateSearch: textSearch('start', 'end', 'at', 'model', 'account', 'key_id', 'user', 'end_reason', 'min_charge', 'group', 'measure', 'view', 'record'), component: lazyRouteComponent(() => import('./pages/operator/usage/all-usage-page'), 'AllUsagePage') }),
  createRoute({ ...operatorPage, path: '/usage/$requestId', component: lazyRouteComponent(() => import('./pages/operator/usage/any-record-page'), 'AnyRecordPage') }),
  createRoute({ ...operatorPage, path: '/upstreams', component: lazyRouteComponent(() => import('./pages/operator/upstreams/upstreams-page'), 'UpstreamsPage') }),
  createRoute({ ...operatorPage, path: '/incidents', component: lazyRouteComponent(() => import('./pages/operator/incidents/incidents-page'), 'IncidentsPage') }),
  createRoute({ ...operatorPage, path: '/blocklists', component: lazyRouteComponent(() => import('./pages/operator/blocklists/blocklists-page'), 'BlocklistsPage') }),
  createRoute({ ...operatorPage, path: '/machines', component: lazyRouteComponent(() => import('./pages/operator/machines/machines-page'), 'MachinesPage') }),
  createRoute({ ...operatorPage, path: '/payments', validateSearch: textSearch('state', 'account', 'uncovered', 'start', 'end'), component: lazyRouteComponent(() => import('./pages/operator/payments/payments-page'), 'PaymentsPage') }),
  createRoute({ ...operatorPage, path: '/payments/$id', component: lazyRouteComponent(() => import('./pages/operator/payments/payment-page'), 'OperatorPaymentPage') }),
  createRoute({ ...operatorPage, path: '/vouchers', component: lazyRouteComponent(() => import('./pages/operator/vouchers/vouchers-page'), 'VouchersPage') }),
  createRoute({ ...operatorPage, path: '/vouchers/$id', component: lazyRouteComponent(() => import('./pages/operator/vouchers/voucher-batch-page'), 'VoucherBatchPage') }),
  createRoute({ ...operatorPage, path: '/price-lists', component: lazyRouteComponent(() => import('./pages/operator/price-lists/price-lists-page'), 'PriceListsPage') }),
  createRoute({ ...operatorPage, path: '/webhooks', component: lazyRouteComponent(() => import('./pages/operator/webhooks/webhooks-page'), 'OperatorWebhooksPage') }),
  createRoute({ ...operatorPage, path: '/webhooks/$id', component: lazyRouteComponent(() => import('./pages/operator/webhooks/webhooks-page'), 'OperatorWebhookPage') }),
  createRoute({ ...operatorPage, path: '/books', component: lazyRouteComponent(() => import('./pages/operator/books/books-page'), 'BooksPage') }),
  createRoute({ ...operatorPage, path: '/audit', validateSearch: textSearch('account', 'actor', 'actor_kind', 'action', 'start', 'end'), component: lazyRouteComponent(() => import('./pages/operator/audit/audit-page'), 'AuditPage') }),
  createRoute({ ...operatorPage, path: '/mail', validateSearch: textSearch('q', 'state', 'kind', 'account'), component: lazyRouteComponent(() => import('./pages/operator/mail/mail-page'), 'MailPage') }),
] as const;

const unknown = createRoute({ ...page, path: '$', component: NotFoundPage });

const tree = root.addChildren([referenceRoute, entry.addChildren(entryRoutes), shell.addChildren([...ownerRoutes, unknown, operator.addChildren(operatorRoutes)])]);

export function createDashboardRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree, context: { client }, basepath: '/dashboard', parseSearch, stringifySearch, defaultPreload: 'intent', defaultNotFoundComponent: NotFoundPage, scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}

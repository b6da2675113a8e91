import { accessiblePages, colourSchemes } from './accessibility.js';
import { automaticTopUp } from './automatic-top-up.js';
import { expiringCredit } from './expiring-credit.js';
import { accountEnd, announcements, hiddenPages, operatorsDay } from './operators.js';
import { filterAddresses, requestSearch, sparseSearch } from './request-search.js';
import type { Check } from './check.js';
import { balanceOutlook, customerSearch } from './customers.js';
import { consent } from './consent.js';
import { customerAccount } from './customer-account.js';
import { bookings, customerKeys, keyNames } from './customer-keys.js';
import { downloads } from './downloads.js';
import { equalFigures, largeAmounts } from './amounts.js';
import { firstRun } from './first-run.js';
import { fiveTasks } from './five-tasks.js';
import { firstSteps } from './first-steps.js';
import { firstTokens } from './first-token.js';
import { language } from './language.js';
import { keyArrival, keyEnd, keyLimit, keySecrets } from './keys.js';
import { keptSecrets, strictPolicy } from './whole-run.js';
import { liveView } from './live-view.js';
import { machinesLink } from './sign-in-links.js';
import { operatorsMachine } from './machines.js';
import { mailTrace } from './mail-trace.js';
import { modelFacts } from './models.js';
import { millionRecords } from './million-records.js';
import { narrowWindows } from './narrow-windows.js';
import { pageStructure } from './page-structure.js';
import { playground } from './playground.js';
import { playgroundConversation } from './playground-conversation.js';
import { purchase } from './purchase.js';
import { signInLink, waysIn } from './ways-in.js';
import { timeZones } from './time-zones.js';
import { requestColumns } from './request-columns.js';
import { unitsApart } from './units.js';
import { upstreamStates } from './upstreams.js';
import { webhooks } from './webhooks.js';

/** All checks, in the order in which they run. The last two evaluate the whole run. */
export const CHECKS: readonly Check[] = [
  firstRun,
  signInLink,
  keySecrets,
  keyArrival,
  equalFigures,
  keyEnd,
  keyLimit,
  filterAddresses,
  requestSearch,
  sparseSearch,
  millionRecords,
  timeZones,
  largeAmounts,
  playground,
  playgroundConversation,
  downloads,
  waysIn,
  accountEnd,
  hiddenPages,
  operatorsDay,
  announcements,
  operatorsMachine,
  webhooks,
  machinesLink,
  purchase,
  automaticTopUp,
  expiringCredit,
  consent,
  customerSearch,
  balanceOutlook,
  mailTrace,
  unitsApart,
  modelFacts,
  language,
  firstSteps,
  customerKeys,
  customerAccount,
  keyNames,
  bookings,
  narrowWindows,
  firstTokens,
  fiveTasks,
  upstreamStates,
  requestColumns,
  pageStructure,
  liveView,
  colourSchemes,
  accessiblePages,
  strictPolicy,
  keptSecrets,
];

/** The check with this number. Throws if there is none. */
export function checkNumbered(number: number): Check {
  const check = CHECKS.find((one) => one.number === number);
  if (check === undefined) throw new Error(`there is no check ${number}`);
  return check;
}

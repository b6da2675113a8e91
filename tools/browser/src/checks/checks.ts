import { accessiblePages } from './accessible-pages.js';
import { accountEnd } from './account-end.js';
import { filterAddresses, requestSearch } from './addresses.js';
import { announcements } from './announcements.js';
import type { Check } from './check.js';
import { colourSchemes } from './colour-schemes.js';
import { downloads } from './downloads.js';
import { equalFigures } from './equal-figures.js';
import { firstRun } from './first-run.js';
import { hiddenPages } from './hidden-pages.js';
import { keyArrival, keyEnd, keyLimit } from './key-life.js';
import { keptSecrets } from './kept-secrets.js';
import { keySecrets } from './key-secrets.js';
import { largeAmounts } from './large-amounts.js';
import { liveView } from './live-view.js';
import { millionRecords } from './million-records.js';
import { operatorsDay } from './operators-day.js';
import { playground } from './playground.js';
import { signInLink } from './sign-in-link.js';
import { sparseSearch } from './sparse-search.js';
import { strictPolicy } from './strict-policy.js';
import { timeZones } from './time-zones.js';
import { waysIn } from './ways-in.js';

/** All of them, in the order they run. The policy, and what was kept secret, are judged over all that ran before. */
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
  downloads,
  waysIn,
  accountEnd,
  hiddenPages,
  operatorsDay,
  announcements,
  liveView,
  colourSchemes,
  accessiblePages,
  strictPolicy,
  keptSecrets,
];

/** The check of this number. */
export function checkNumbered(number: number): Check {
  const check = CHECKS.find((one) => one.number === number);
  if (check === undefined) throw new Error(`there is no check ${number}`);
  return check;
}

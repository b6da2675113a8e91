export type { WatchedPage } from './driver/watched-page.js';
export { CheckContext, heading, ownerPages, runCheck, shown, visit } from './checks/check.js';
export { subjectsOf } from './world/fixtures.js';
export { checkNumbered, CHECKS } from './checks/checks.js';

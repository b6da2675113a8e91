export type { WatchedPage } from './driver/watched-page.js';
export { CheckContext, runCheck } from './checks/check.js';
export { heading, shown, visit } from './driver/page-states.js';
export { ownerPages } from './pages/dashboard-pages.js';
export { subjectsOf } from './world/fixtures.js';
export { checkNumbered, CHECKS } from './checks/checks.js';

export { findChromium, launchChromium } from './driver/chromium.js';
export { openPage, signIn, type Notices, type WatchedPage } from './driver/watched-page.js';
export { MovableClock } from './world/movable-clock.js';
export { addResident, openWorld, PASSWORD, passDays, sendRequest, type Resident, type ResidentOptions, type World } from './world/open-world.js';

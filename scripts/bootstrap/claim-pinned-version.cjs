// Makes a program that is started with it, npm, take itself to run on the Node release that the project is pinned to.
const { packages } = require('../../package-lock.json');

const pinned = packages[`node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`];
if (pinned !== undefined) Object.defineProperty(process, 'version', { value: `v${pinned.version}` });

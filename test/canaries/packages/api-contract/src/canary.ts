import * as core from '@tollgate/core';
import * as wireKit from '@tollgate/wire-kit';
export { z } from 'zod';
export * from 'node:http';
export { core, wireKit };

import * as core from '@tollgate/core';
import { createHash } from 'node:crypto';
import * as memory from '@tollgate/adapters-memory';
import { Agent } from 'undici';

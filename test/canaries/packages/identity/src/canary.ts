import { createHash } from 'node:crypto';
import Big from 'big.js';
import { parse } from 'tldts';
import * as core from '@tollgate/core';
import * as wireKit from '@tollgate/wire-kit';
import * as memory from '@tollgate/adapters-memory';

import * as core from '@tollgate/core';
import { Container } from 'inversify';
import * as memory from '@tollgate/adapters-memory';
import { createHash } from 'node:crypto';

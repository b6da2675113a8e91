import * as core from '@tollgate/core';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import * as memory from '@tollgate/adapters-memory';
import * as wireChat from '@tollgate/wire-chat';
import { fetch } from 'undici';

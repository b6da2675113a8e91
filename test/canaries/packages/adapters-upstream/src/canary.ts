import * as core from '@tollgate/core';
import { once } from 'node:events';
import { Agent } from 'undici';
import * as wireMessages from '@tollgate/wire-messages';
import * as config from '@tollgate/adapters-config';

import * as core from '@tollgate/core';
import * as wireKit from '@tollgate/wire-kit';
import { createHash } from 'crypto';
import * as wireChat from '@tollgate/wire-chat';
import * as node from '@tollgate/adapters-node';

import { generateAuthenticationOptions } from '@simplewebauthn/server';
import * as core from '@tollgate/core';
import { createHash } from 'node:crypto';
import { discovery } from 'openid-client';
import { TOTP } from 'otpauth';
import * as node from '@tollgate/adapters-node';
import { jwtVerify } from 'jose';

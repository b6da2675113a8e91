import * as bench from '@tollgate/bench';
import * as core from '@tollgate/core';
import * as peers from '@tollgate/peers';
import * as kit from '@tollgate/kit';

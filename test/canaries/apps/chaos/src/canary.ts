import * as testkit from '@tollgate/testkit';
import * as servers from '@tollgate/testkit/servers';

/**
 * The keys with which the sandbox is addressed in place of the services. Everybody can read them here; production has no
 * sandbox.
 */
import type { ApnsKey } from './apns.ts';
import type { FcmAccount } from './fcm.ts';
import type { VapidKeys } from './webPush.ts';

const FCM_KEY = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC3DmjY0u+7B8vD
ZT2KLFLolv0eFIb2lZ1/CWFWrLwjXmcuRtMvNF0D5gXLHE127IvJDdfi2W2K9Zrg
PBkDPyDFXIYyi/F+QSyx8Qzi8qsNRtvGqucqsIjO+Y7/eHX5sbcBJQmqQxUwigi2
LE+vcxgnMm2gya9qFELBHan67ZnYDm9/ZNOc1jRraTeEADmZ6nAoQjtj1/J+DCzP
Nnf7/PsX4nSq4j1IRAHPywu1zEhb8IDcGUexfTBtqA5n1/AmSZF7kZ7evyw0RXS6
fGl7k1UIKETfUqe3OL+sc+Zt2AN7gPmQCqoJ5YeTWV6nRbIhCtP++P4lpMTom8GA
2bg4Pn+LAgMBAAECggEANPzoT58bgsWab3iOTEFRTH9sTHk/qgAcA2pZMUg1+3z3
nBcnSVo8dITwd189cye8vNmTfNhYU6mNh8wNp3luCIMkW1xT7qp6ABYZF1aMOf8h
XgwZdyt7poHpqTya1cjiAuRQPGdHqnHCXM1N0akcvDfmMO1AqBGuUw09p2OArV/e
bNh6yL2W+Z/ZmOcOFB9n0EJDx13FAberDa17oL3qnO6FrUpXOjfMcmBhVKB9jT7k
RbbFkBcZ49XZJ2TeLrnOgUHBt8v3Rl6Js6VtkcQOQxiGaaXm8UFRa6jvJhsT2Ypb
e6SrsEe9m1QMLI2xtxs3G5JAG81mSP1L2YxLN01K6QKBgQDusPM96f03yfbsrPMi
sfaNHqho3vLwBBO/zE+xFoOzZoghYtkSOdQiL49XYWEWJHXLuOoYig9+AzRNIlE9
FLaN37/cb5xs6bi+S61E40ANivXig1OkcBw5gMYkH8bWhNxpSydjRLIYOZYnIb0c
8S8rrqTQveWrHrsFB2WZTA3eiQKBgQDEVKfn2dsFiMKoGtUniuTVnyJF2Wkrzc9r
MQ8z5yxo6XED3HoA252omx1FbkUnAZiT5FiPz6uxCky3Erf0MUeyie2/ateKaG+h
d2kE9gKYLZ11ET0E+dnina04x9N+BHOonsKPm7gn/y86WO3Ex0n+VNux3+jMSJyV
b8F5qMVIcwKBgG9wwkBX7NeNPfIGVYYPXLNKawp7fSU+YhIcS+C8SEUMS+Z6hiqS
QU6ssdn0JyX1Y+H3taQ7YTxONq8EpLVF5G2c17ENkxTukkiWgJE3IIKyLFbTRcvy
Y9sdGmVnSKiDY3ztj7gzLItO56HhiK/ok0NryJuE7aPVNzAD4hWOgrMxAoGBAJX0
MuqbMvZfJo5PME8rfuzKxtqi2/lhEPPGXN4/y2O2KWPRmj3df+Wv1AOb3aWVSnxr
BFmTPIfUXhPWcDpLCYAMaVKywD4u1lR1Z/kqDYE+Fe28ZObQDuNPm2aq+ZZewBgi
amhVf6rM9b2S/sg1jwZ6ufJ6Gs0tCKv618OcbFKRAoGBANIhy4w7ua5oXhPXjLeF
C2Z1P6q90kbgZJ2ehL3j2pKb0MKZmmrPtHMERzlN8VAR+U1wXDZO6zOK9LO1WM2v
wz3NwZH0xpI9or/2cjgAY4oMgtWWUVS28Xed34I1+84EkikTfEKL9YA/DRRRdLT1
/x0OFsJE3xaV8/3OTPoICsLR
-----END PRIVATE KEY-----
`;
const APNS_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5ikXjvudVt/Bu+We
9v53qhGPx53v4iBX0n/MqdbPMbehRANCAAQa/mmTtbZsc+C+PVHKPK4YJSXmZ81M
slFBtxNl8BAVbgOl+kiOB9k64lonFFMrDR3PV4poh1pbETDhGC0zFbpq
-----END PRIVATE KEY-----
`;

/** Where the sandbox stands in for each service, below its own address. */
export const SANDBOX_PATHS = {
  fcm: '/push/fcm',
  token: '/push/fcm/token',
  apns: '/push/apns',
  web: '/push/web',
} as const;

/** @param sandboxUrl the address of the sandbox */
export const sandboxFcm = (sandboxUrl: string): FcmAccount => ({
  project_id: 'sandbox',
  client_email: 'push@sandbox.test',
  private_key: FCM_KEY,
  token_uri: `${sandboxUrl}${SANDBOX_PATHS.token}`,
});

export const sandboxApns: ApnsKey = {
  keyId: 'SANDBOXKEY',
  teamId: 'SANDBOXTEA',
  privateKey: APNS_KEY,
  topic: 'test.sandbox.app',
};

export const sandboxVapid: VapidKeys = {
  publicKey: 'BHCx5dneGXgkvfAuKcmN-jf7Da8E4DnKg6D_t8nHM9NYuLwCld15_EAKeFrXclcBFGQ3Q0neiLd_zgL-hOpBzpM',
  privateKey: 'y0F6vc5y87nnIgtZdo05Py0PsDTOmxEIOO3Hnm9nXUs',
  subject: 'mailto:push@sandbox.test',
};

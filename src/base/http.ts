/** Returns Node's HTTP. An import of `node:http` would also load its WebSocket, which takes as long as the whole client. */
export const nodeHttp = () => process.getBuiltinModule('node:http');

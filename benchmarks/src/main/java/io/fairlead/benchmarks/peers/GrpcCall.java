package io.fairlead.benchmarks.peers;

import io.grpc.CallOptions;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A call that a gRPC policy picks for; it is never sent. */
final class GrpcCall extends PickSubchannelArgs {
    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("bench.Service/call")
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private final CallOptions options;
    private final Metadata headers = new Metadata();

    GrpcCall(CallOptions options) {
        this.options = options;
    }

    @Override
    public CallOptions getCallOptions() {
        return options;
    }

    @Override
    public Metadata getHeaders() {
        return headers;
    }

    @Override
    public MethodDescriptor<?, ?> getMethodDescriptor() {
        return METHOD;
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            throw new UnsupportedOperationException("no call is sent");
        }
    }
}

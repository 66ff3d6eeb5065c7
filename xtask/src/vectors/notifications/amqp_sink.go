// A server for the recorder of notifications. `cargo xtask vectors --only notifications` copies this
// file into a copy of go-amqp, whose frames are internal packages.
package amqp

import (
	"io"
	"net"

	"github.com/Azure/go-amqp/internal/buffer"
	"github.com/Azure/go-amqp/internal/encoding"
	"github.com/Azure/go-amqp/internal/frames"
)

// Sink accepts all that clients send.
type Sink struct {
	// Claim gets the audience, the type and the value of each token.
	Claim func(audience, kind, token string)
	// Message gets the address and the data of each message.
	Message func(address, data string)
}

type sinkLink struct{ channel, handle uint32 }

type sinkConn struct {
	*Sink
	conn net.Conn
	// Addresses of the links on which the client sends.
	targets map[sinkLink]string
	// Handles of the links on which the client receives, by channel.
	replies map[uint32]uint32
	partial []byte
}

// Serve answers the clients of a listener.
func (s *Sink) Serve(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		c := &sinkConn{s, conn, map[sinkLink]string{}, map[uint32]uint32{}, nil}
		go c.serve()
	}
}

func (c *sinkConn) serve() {
	defer c.conn.Close()
	for {
		head := make([]byte, 8)
		if _, err := io.ReadFull(c.conn, head); err != nil {
			return
		}
		if string(head[:4]) == "AMQP" {
			c.conn.Write(head)
			if head[4] == 3 {
				c.write(frames.TypeSASL, 0, &frames.SASLMechanisms{
					Mechanisms: encoding.MultiSymbol{"ANONYMOUS"},
				})
			}
			continue
		}
		header, err := frames.ParseHeader(buffer.New(head))
		if err != nil {
			return
		}
		body := make([]byte, header.Size-8)
		if _, err := io.ReadFull(c.conn, body); err != nil {
			return
		}
		if header.FrameType == uint8(frames.TypeSASL) {
			c.write(frames.TypeSASL, 0, &frames.SASLOutcome{})
			continue
		}
		if len(body) == 0 {
			continue
		}
		frame, err := frames.ParseBody(buffer.New(body))
		if err != nil || !c.answer(header.Channel, frame) {
			return
		}
	}
}

func (c *sinkConn) write(kind frames.Type, channel uint16, body frames.FrameBody) {
	out := buffer.New(nil)
	if err := frames.Write(out, frames.Frame{Type: kind, Channel: channel, Body: body}); err == nil {
		c.conn.Write(out.Bytes())
	}
}

// answer returns whether the connection goes on.
func (c *sinkConn) answer(channel uint16, frame frames.FrameBody) bool {
	reply := func(body frames.FrameBody) { c.write(frames.TypeAMQP, channel, body) }
	switch frame := frame.(type) {
	case *frames.PerformOpen:
		reply(&frames.PerformOpen{ContainerID: "sink", MaxFrameSize: 1 << 20, ChannelMax: 65535})
	case *frames.PerformBegin:
		reply(&frames.PerformBegin{
			RemoteChannel: &channel, NextOutgoingID: 1, IncomingWindow: 5000,
			OutgoingWindow: 5000, HandleMax: 1000,
		})
	case *frames.PerformAttach:
		attach := &frames.PerformAttach{
			Name: frame.Name, Handle: frame.Handle, Role: !frame.Role, Source: frame.Source,
			Target: frame.Target, SenderSettleMode: frame.SenderSettleMode,
			ReceiverSettleMode: frame.ReceiverSettleMode, MaxMessageSize: 1 << 20,
		}
		reply(attach)
		if frame.Role == encoding.RoleReceiver {
			c.replies[uint32(channel)] = frame.Handle
			return true
		}
		c.targets[sinkLink{uint32(channel), frame.Handle}] = frame.Target.Address
		next, count, credit := uint32(0), uint32(0), uint32(100)
		reply(&frames.PerformFlow{
			NextIncomingID: &next, IncomingWindow: 5000, NextOutgoingID: 1, OutgoingWindow: 5000,
			Handle: &frame.Handle, DeliveryCount: &count, LinkCredit: &credit,
		})
	case *frames.PerformTransfer:
		c.partial = append(c.partial, frame.Payload...)
		if frame.More {
			return true
		}
		message := &Message{}
		err := message.UnmarshalBinary(c.partial)
		c.partial = nil
		if err != nil {
			return false
		}
		if !frame.Settled && frame.DeliveryID != nil {
			reply(&frames.PerformDisposition{
				Role: encoding.RoleReceiver, First: *frame.DeliveryID, Settled: true,
				State: &encoding.StateAccepted{},
			})
		}
		c.receive(channel, c.targets[sinkLink{uint32(channel), frame.Handle}], message, reply)
	case *frames.PerformDetach:
		reply(&frames.PerformDetach{Handle: frame.Handle, Closed: true})
	case *frames.PerformEnd:
		reply(&frames.PerformEnd{})
	case *frames.PerformClose:
		reply(&frames.PerformClose{})
		return false
	}
	return true
}

func (c *sinkConn) receive(
	channel uint16, address string, message *Message, reply func(frames.FrameBody),
) {
	if address != "$cbs" {
		for _, data := range message.Data {
			inner := &Message{}
			if err := inner.UnmarshalBinary(data); err == nil {
				c.Message(address, string(inner.GetData()))
			}
		}
		return
	}
	text := func(name string) string {
		value, _ := message.ApplicationProperties[name].(string)
		return value
	}
	token, _ := message.Value.(string)
	c.Claim(text("name"), text("type"), token)
	accepted := &Message{
		Properties:            &MessageProperties{CorrelationID: message.Properties.MessageID},
		ApplicationProperties: map[string]any{"status-code": int32(202)},
	}
	payload, err := accepted.MarshalBinary()
	if err != nil {
		return
	}
	delivery, format := uint32(0), uint32(0)
	reply(&frames.PerformTransfer{
		Handle: c.replies[uint32(channel)], DeliveryID: &delivery, DeliveryTag: []byte("0"),
		MessageFormat: &format, Settled: true, Payload: payload,
	})
}
